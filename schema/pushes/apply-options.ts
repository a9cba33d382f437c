import { titleOf } from '../commits/types.ts';
import { noRequest } from '../kernel/context.ts';
import { DomainError, notFound, recordNotFound, rejected } from '../kernel/errors.ts';
import { byIdOrUsername } from '../kernel/reference.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { createMergeRequest } from '../merge-requests/create.ts';
import { isWorkInProgress } from '../merge-requests/title.ts';
import { updateMergeRequest } from '../merge-requests/update.ts';
import { mergeAfterNextPipeline } from '../merging/automatic-merge.ts';
import type { Merging } from '../merging/merge-branch.ts';
import type { MergeParts } from '../merging/settle-merge.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import { viewerOf } from '../sessions/viewer.ts';
import { type MergeRequestOptions, readMergeRequestOptions } from './merge-request-options.ts';

/**
 * Creates or changes the merge requests of pushed branches, in the name of the pusher. Idempotent.
 * What the pusher may not do, or is invalid, is reported by a line and not tried again.
 */
export async function applyPushOptions(
  { projectId, userId, branches, heads = {}, mergeRequest }: JobPayloads['apply-push-options'],
  signal: AbortSignal | undefined,
  parts: MergeParts,
): Promise<readonly string[]> {
  const viewer = await viewerOf(parts.db, userId);
  if (!viewer) return [];
  const options = readMergeRequestOptions(mergeRequest);
  const request = signal ? { ...noRequest, signal } : noRequest;
  const faults: string[] = [];
  for (const branch of branches) {
    signal?.throwIfAborted();
    try {
      const head = Object.hasOwn(heads, branch) ? (heads[branch] ?? null) : null;
      await applyToBranch(projectId, { branch, head }, options, { ...parts, viewer, request });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error;
      faults.push(`The merge request for ${branch} was not saved: ${explain(error)}`);
    }
  }
  return faults;
}

async function applyToBranch(
  projectId: number,
  { branch, head }: PushedBranch,
  options: MergeRequestOptions,
  ctx: Merging,
): Promise<void> {
  const existing = await findOpen(projectId, branch, ctx);
  if (!existing && !options.creates)
    throw rejected('there is none; the option merge_request.create creates it.');
  const iid = existing
    ? await change(projectId, existing, options, ctx)
    : await create(projectId, branch, options, ctx);
  if (options.mergesWhenPipelineSucceeds)
    await mergeAfterNextPipeline(String(projectId), iid, head, ctx);
}

interface PushedBranch {
  readonly branch: string;
  /** The pushed commit; null in jobs of versions that did not store it. */
  readonly head: string | null;
}

type OpenMergeRequest = NonNullable<Awaited<ReturnType<typeof findOpen>>>;

/** The newest open merge request from a branch into the same project. */
const findOpen = (projectId: number, sourceBranch: string, { db }: Merging) =>
  db.mergeRequest.findFirst({
    where: { projectId, sourceProjectId: projectId, sourceBranch, state: 'opened' },
    orderBy: { id: 'desc' },
    select: { iid: true, assigneeId: true, text: { select: { title: true } } },
  });

async function create(
  projectId: number,
  branch: string,
  options: MergeRequestOptions,
  ctx: Merging,
): Promise<number> {
  const project = await ctx.db.project.findFirst({
    where: { id: projectId, isRemoved: false },
    select: { defaultBranch: true, storage: true, diskPath: true },
  });
  if (!project) throw notFound('Project');
  const targetBranch = options.targetBranch ?? project.defaultBranch;
  if (targetBranch === null) throw rejected('the project has no default branch.');
  const tip = await tipOf(project, branch, ctx);
  const commit = tip && (await ctx.git.commitBehind(project, tip));
  const title = options.title ?? (commit ? titleOf(commit.message) : branch);
  const input = {
    title: markedTitle(title, options),
    description: options.description,
    sourceBranch: branch,
    targetBranch,
    labels: options.labels.filter((label) => !options.removedLabels.includes(label)),
    forceRemoveSourceBranch: options.removesSourceBranch,
    assigneeId: await assigneeOf(null, options, ctx),
  };
  const id = await createMergeRequest(String(projectId), input, ctx);
  const created = await ctx.db.mergeRequest.findUnique({ where: { id }, select: { iid: true } });
  if (!created) throw recordNotFound();
  return created.iid;
}

async function change(
  projectId: number,
  { iid, text, assigneeId }: OpenMergeRequest,
  options: MergeRequestOptions,
  ctx: Merging,
): Promise<number> {
  const { description, targetBranch, labels, removedLabels, removesSourceBranch } = options;
  const title = markedTitle(options.title ?? text?.title ?? '', options);
  const input = {
    ...(title !== text?.title && { title }),
    ...(description !== undefined && { description }),
    ...(targetBranch !== undefined && { targetBranch }),
    ...(labels.length > 0 && { addLabels: [...labels] }),
    ...(removedLabels.length > 0 && { removeLabels: [...removedLabels] }),
    ...(removesSourceBranch && { forceRemoveSourceBranch: true }),
    assigneeId: await assigneeOf(assigneeId, options, ctx),
  };
  await updateMergeRequest(String(projectId), iid, input, ctx);
  return iid;
}

const markedTitle = (title: string, { isDraft }: MergeRequestOptions): string =>
  isDraft && !isWorkInProgress(title) ? `WIP: ${title}` : title;

/** The assignee afterwards. */
async function assigneeOf(
  current: number | null,
  { assignee, removedAssignee }: MergeRequestOptions,
  { db }: Merging,
): Promise<number | null> {
  const idOf = async (user: string) =>
    (await db.user.findFirst({ where: byIdOrUsername(user), select: { id: true } }))?.id ?? null;
  if (assignee !== undefined) return (await idOf(assignee)) ?? current;
  const isRemoved = removedAssignee !== undefined && (await idOf(removedAssignee)) === current;
  return isRemoved ? null : current;
}

/** The messages of an error, of its fields if it has some. */
function explain({ message, fields }: DomainError): string {
  const texts = Object.entries(fields ?? {}).flatMap(([field, faults]) =>
    faults.map((fault) => `${field} ${fault}`),
  );
  return texts.length > 0 ? texts.join(', ') : message;
}
