import type { Transaction } from '../../prisma/client.ts';
import type { ChangesPayload } from '../hook-payloads/parts.ts';
import { changeLabels, changeMilestone } from '../issuables/attachments.ts';
import { actionBetween, combined } from '../issuables/differences.ts';
import { issuableFaults } from '../issuables/faults.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import type { ConsentEnd } from '../system-notes/sentences.ts';
import { addedMentions, textOf } from '../todos/mentions.ts';
import { completeTodos, recordTodos } from '../todos/record.ts';
import { changeAssignee } from './assignee.ts';
import { tipOf, withoutDuplicate } from './branches.ts';
import { withdrawConsents } from './consents.ts';
import type { MergeRequestWriting } from './create.ts';
import { differencesOf, type MergeRequestDifference } from './differences.ts';
import { findMergeRequest, type MergeRequestWithProjects } from './find.ts';
import { keepHead } from './head.ts';
import { type HeadForHooks, headForHooks } from './hook-payload.ts';
import type { MergeRequestChange } from './inputs.ts';
import { type LockedMergeRequest, lockMergeRequest } from './lock.ts';
import { notifyMergeRequestChange } from './notify.ts';
import { canAdminMergeRequests, canUpdateMergeRequest } from './policy.ts';
import { badBranches, noBranch } from './refusals.ts';
import { baseOf, changesState, closing, reopening, sourceTip } from './state.ts';
import { addVersion } from './versions.ts';

/**
 * Updates a merge request and writes system notes of what changed; developers and the author may.
 * Gives its id. Ignores labels, milestone, assignee and the discussion lock from an author below
 * developer (v4-behaviour 3.4).
 */
export async function updateMergeRequest(
  ref: string,
  iid: number,
  input: MergeRequestChange,
  ctx: MergeRequestWriting,
): Promise<number> {
  const viewer = signedIn(ctx);
  const mergeRequest = await findMergeRequest(ref, iid, ctx, canUpdateMergeRequest);
  const { title, description, stateEvent, targetBranch, forceRemoveSourceBranch } = input;
  const authorInput = { title, description, stateEvent, targetBranch, forceRemoveSourceBranch };
  const change: MergeRequestChange = canAdminMergeRequests(mergeRequest.level, mergeRequest.project)
    ? input
    : authorInput;
  refuseFaults(issuableFaults({ ...change, labels: change.labels ?? [] }));
  await refuseBadTarget(mergeRequest, change, ctx);
  const move = await readStateChange(mergeRequest, change, viewer.id, ctx);
  const update = () =>
    withHead(move.head ?? mergeRequest.sha, mergeRequest, ctx, async (tx, head) => {
      const before = await lockMergeRequest(tx, mergeRequest.id);
      const isMoving = changesState(before, change.stateEvent);
      const sha = (isMoving && move.head) || before.sha;
      if (head.sha !== sha) return { sha };
      const differences = [
        ...differencesOf(before, change),
        ...(isMoving ? move.differences : []),
        ...(await changeMilestone(tx, mergeRequest.project, before, change)),
        ...(await changeLabels(tx, mergeRequestKind, mergeRequest.project, before, change)),
        ...(await changeAssignee(tx, mergeRequest.project.id, before, change)),
      ];
      await store(tx, before, differences, { userId: viewer.id, head }, ctx);
      return null;
    });
  if (move.isOpening || isRetargeted(mergeRequest, change)) {
    const columns = { ...mergeRequest, targetBranch: targetOf(mergeRequest, change) };
    await withoutDuplicate(columns, ctx, update, mergeRequest.id);
  } else {
    await update();
  }
  if (move.head !== null && mergeRequest.sourceProject) {
    const { project: target, sourceProject: source } = mergeRequest;
    await keepHead({ id: mergeRequest.id, target, source, iid, sha: move.head }, ctx);
  }
  return mergeRequest.id;
}

const mostAttempts = 10;

/**
 * Runs `work` in a transaction, with the head commit read before. If a concurrent push changed the
 * head, `work` gives the new commit and is run again.
 */
async function withHead(
  expected: string | null,
  mergeRequest: MergeRequestWithProjects,
  ctx: MergeRequestWriting,
  work: (tx: Transaction, head: HeadForHooks) => Promise<{ readonly sha: string | null } | null>,
): Promise<void> {
  let sha = expected;
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const head = await headForHooks(sha, mergeRequest, ctx);
    const retryWith = await transact(ctx.db, (tx) => work(tx, head));
    if (retryWith === null) return;
    sha = retryWith.sha;
  }
  throw conflict('Merge request has been modified meanwhile');
}

const isRetargeted = (
  mergeRequest: MergeRequestWithProjects,
  { targetBranch }: MergeRequestChange,
): boolean =>
  Boolean(targetBranch) &&
  targetBranch !== mergeRequest.targetBranch &&
  mergeRequest.state === 'opened';

const targetOf = (mergeRequest: MergeRequestWithProjects, change: MergeRequestChange): string =>
  isRetargeted(mergeRequest, change) && change.targetBranch
    ? change.targetBranch
    : mergeRequest.targetBranch;

async function refuseBadTarget(
  mergeRequest: MergeRequestWithProjects,
  change: MergeRequestChange,
  ctx: Pick<Context, 'git'>,
): Promise<void> {
  if (!isRetargeted(mergeRequest, change)) return;
  const targetBranch = targetOf(mergeRequest, change);
  if (
    mergeRequest.sourceProjectId === mergeRequest.projectId &&
    mergeRequest.sourceBranch === targetBranch
  ) {
    throw badBranches('You can not use same project/branch for source and target');
  }
  if ((await tipOf(mergeRequest.project, targetBranch, ctx)) === null) {
    throw noBranch('Target', targetBranch);
  }
}

/** Reads from git what closing or reopening needs. */
async function readStateChange(
  mergeRequest: MergeRequestWithProjects,
  { stateEvent }: MergeRequestChange,
  userId: number,
  ctx: Pick<Context, 'git'>,
): Promise<{
  readonly differences: readonly MergeRequestDifference[];
  readonly isOpening: boolean;
  readonly head: string | null;
}> {
  if (!changesState(mergeRequest, stateEvent))
    return { differences: [], isOpening: false, head: null };
  if (stateEvent === 'close') {
    const differences = [closing(userId, await baseOf(mergeRequest, ctx))];
    return { differences, isOpening: false, head: null };
  }
  const head = await sourceTip(mergeRequest, ctx);
  return { differences: [reopening(head)], isOpening: true, head };
}

async function store(
  tx: Transaction,
  before: LockedMergeRequest,
  differences: readonly MergeRequestDifference[],
  { userId, head }: { readonly userId: number; readonly head: HeadForHooks },
  ctx: MergeRequestWriting,
): Promise<void> {
  if (differences.length === 0) return;
  const { id } = before;
  const { text, sentences } = combined(differences);
  if (Object.keys(text).length > 0) {
    await tx.mergeRequestText.update({
      where: { mergeRequestId: id },
      data: text,
      select: { mergeRequestId: true },
    });
  }
  const after = await tx.mergeRequest.update({
    where: { id },
    // `updatedAt` is set explicitly: texts and labels are stored in other tables
    data: Object.assign({ updatedAt: new Date() }, ...differences.map(({ columns }) => columns)),
    select: {
      state: true,
      sha: true,
      sourceProjectId: true,
      sourceBranch: true,
      targetBranch: true,
      assigneeId: true,
    },
  });
  const isCompared = after.sha === before.sha && after.targetBranch === before.targetBranch;
  if (after.sha !== null && !isCompared) {
    await addVersion(tx, { id, former: before.sha, headSha: after.sha, startSha: null });
  }
  await recordSystemNotes(tx, { mergeRequestId: id }, userId, sentences);
  const end = consentEndBetween(before, after);
  if (end) await withdrawConsents(tx, id, { userId, reason: end });
  const target = { kind: 'mergeRequest', id } as const;
  await completeTodos(tx, target, userId);
  const { assigneeId } = after;
  await recordTodos(tx, target, {
    authorId: userId,
    assigneeIds: assigneeId && assigneeId !== before.assigneeId ? [assigneeId] : [],
    mentions: addedMentions(textOf(before), textOf({ ...before, ...text })),
  });
  const { sourceProjectId: projectId, sourceBranch } = after;
  if (projectId !== null && differences.some(({ columns }) => columns?.mergeStatus)) {
    await ctx.jobs.enqueue('follow-push', { projectId, userId, branches: [sourceBranch] }, tx);
  }
  const action = actionBetween(before, after);
  const changes = changesOf(differences);
  await notifyMergeRequestChange(tx, { id, action, userId, head, changes }, ctx);
}

/** What of a change ends the consents to the former head, target and state; null for nothing. */
function consentEndBetween(before: Compared, after: Compared): ConsentEnd | null {
  if (after.state === 'closed') return 'close';
  if (after.targetBranch !== before.targetBranch) return 'retarget';
  return after.sha === before.sha ? null : 'push';
}

type Compared = Pick<LockedMergeRequest, 'state' | 'sha' | 'targetBranch'>;

const changesOf = (differences: readonly MergeRequestDifference[]): ChangesPayload =>
  Object.fromEntries(
    differences.flatMap(({ hookChanges }) =>
      Object.entries(hookChanges ?? {}).map(([name, [previous, current]]) => [
        name,
        { previous, current },
      ]),
    ),
  );
