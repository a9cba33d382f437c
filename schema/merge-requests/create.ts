import { Prisma, type Transaction } from '../../prisma/client.ts';
import { insertLabels, newMilestone } from '../issuables/attachments.ts';
import { issuableFaults } from '../issuables/faults.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { type LabelledProject, labelsByName } from '../labels/available.ts';
import { findProject } from '../projects/find.ts';
import { isImportUnfinished } from '../projects/policy.ts';
import { readersAmong } from '../projects/readers.ts';
import { mentionsOf, textOf } from '../todos/mentions.ts';
import { recordTodos } from '../todos/record.ts';
import { refuseUnrelated, tipsOf, withoutDuplicate } from './branches.ts';
import { keepHead } from './head.ts';
import { headForHooks } from './hook-payload.ts';
import type { NewMergeRequest } from './inputs.ts';
import { notifyMergeRequestChange } from './notify.ts';
import { canAdminMergeRequests, canUseAsSource, canUseAsTarget } from './policy.ts';

/** What creating and changing merge requests needs. */
export type MergeRequestWriting = Pick<
  Context,
  'baseUrl' | 'db' | 'git' | 'jobs' | 'settings' | 'sshUrl' | 'viewer'
>;

/**
 * Creates a merge request from a branch of the project `ref` into a branch of the same project or
 * of one it was forked from, and gives its id. The viewer must be able to push to the source and to
 * read the target's code. Ignores labels, milestone and assignee from users below developer in the
 * target (v4-behaviour 3.4).
 */
export async function createMergeRequest(
  ref: string,
  input: NewMergeRequest,
  ctx: MergeRequestWriting,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { source, target } = await findProjects(ref, input.targetProject, ctx);
  const isAdmin = canAdminMergeRequests(target.level, target);
  const permitted: NewMergeRequest = isAdmin
    ? input
    : { ...input, assigneeId: null, milestoneId: null, labels: null };
  const labels = permitted.labels ?? [];
  refuseFaults(issuableFaults({ ...permitted, labels }));
  const { sourceBranch, targetBranch } = input;
  const branches = { source, target, sourceBranch, targetBranch };
  await refuseUnrelated(branches, ctx);
  const { head: sha, base: startSha } = await tipsOf(branches, ctx);
  const columns = { projectId: target.id, sourceProjectId: source.id, sourceBranch, targetBranch };
  const head = await headForHooks(sha, { project: target, sourceProject: source }, ctx);
  const created = await withoutDuplicate(columns, ctx, () =>
    transact(ctx.db, async (tx) => {
      const labelIds = await labelsByName(tx, target, labels, { create: true });
      const row = await insertMergeRequest(tx, target, {
        ...permitted,
        ...columns,
        sha,
        startSha,
        authorId: viewer.id,
      });
      await insertLabels(tx, mergeRequestKind, row.id, labelIds);
      await recordTodos(
        tx,
        { kind: 'mergeRequest', id: row.id },
        {
          authorId: viewer.id,
          assigneeIds: permitted.assigneeId ? [permitted.assigneeId] : [],
          mentions: mentionsOf(textOf(permitted)),
        },
      );
      const opening = { id: row.id, action: 'open', userId: viewer.id, head } as const;
      await notifyMergeRequestChange(tx, opening, ctx);
      await ctx.jobs.enqueue(
        'follow-push',
        { projectId: source.id, userId: viewer.id, branches: [sourceBranch] },
        tx,
      );
      return row;
    }),
  );
  // if this fails, the follow-push job creates the reference later
  await keepHead({ ...created, target, source, sha }, ctx);
  return created.id;
}

/**
 * The source and target project. Throws unless the viewer may push to the source and read the
 * target's code.
 */
export async function findProjects(
  ref: string,
  targetRef: string | number | null | undefined,
  ctx: MergeRequestWriting,
) {
  const source = await findProject(ref, ctx, (_viewer, level, project) =>
    canUseAsSource(level, project),
  );
  const target = await findProject(
    targetRef ? String(targetRef) : String(source.id),
    ctx,
    canUseAsTarget,
  );
  if (![source, target].every(({ mergeRequestsEnabled }) => mergeRequestsEnabled)) {
    throw forbidden();
  }
  if (isImportUnfinished(source) || isImportUnfinished(target))
    throw forbidden('The repository is not ready yet');
  return { source, target };
}

interface InsertedMergeRequest extends NewMergeRequest {
  readonly sourceProjectId: number;
  readonly sha: string;
  /** The tip of the target branch. */
  readonly startSha: string;
  readonly authorId: number;
}

/**
 * Inserts the number, the merge request, its first version and its texts by one statement. It locks the project's row
 * first and reads the clock afterwards, so that numbers and timestamps have the same order. Ignores
 * an assignee who may not read the project, and a milestone of neither the project nor an ancestor
 * group.
 */
async function insertMergeRequest(
  tx: Transaction,
  project: LabelledProject,
  row: InsertedMergeRequest,
): Promise<{ readonly id: number; readonly iid: number }> {
  const assignee = row.assigneeId
    ? Prisma.sql`(${readersAmong([row.assigneeId], project.id)} FOR KEY SHARE OF users)`
    : null;
  const [created] = await tx.$queryRaw<{ id: number; iid: number }[]>`
    WITH numbered AS (
      UPDATE projects SET last_merge_request_iid = last_merge_request_iid + 1
      WHERE id = ${project.id} AND NOT is_removed
      RETURNING id, last_merge_request_iid AS iid, clock_timestamp() AS now
    )${assignee ? Prisma.sql`, person AS ${assignee}` : Prisma.empty}, inserted AS (
      INSERT INTO merge_requests (project_id, iid, source_project_id, source_branch, target_branch,
        author_id, assignee_id, milestone_id, sha, removes_source_branch, created_at, updated_at)
      SELECT numbered.id, iid, ${row.sourceProjectId}, ${row.sourceBranch}, ${row.targetBranch},
        ${row.authorId}, ${assignee ? Prisma.raw('(SELECT id FROM person)') : Prisma.raw('NULL::int')},
        ${newMilestone(row.milestoneId, project)}, ${row.sha}, ${row.forceRemoveSourceBranch ?? false}, now, now
      FROM numbered
      RETURNING id, iid, created_at
    ), versioned AS (
      INSERT INTO merge_request_versions (merge_request_id, head_sha, start_sha, created_at)
      SELECT id, ${row.sha}, ${row.startSha}, created_at FROM inserted
    ), described AS (
      INSERT INTO merge_request_texts (merge_request_id, title, description)
      SELECT id, ${row.title.trim()}, ${row.description ?? null}::text FROM inserted
    )
    SELECT id, iid FROM inserted`;
  if (!created) throw notFound('Project');
  return created;
}
