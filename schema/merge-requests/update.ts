import type { Prisma, Transaction } from '../../prisma/client.ts';
import { changeLabels, changeMilestone } from '../issuables/attachments.ts';
import { issueFaults } from '../issuables/faults.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { changeAssignee } from './assignee.ts';
import { asOnlyOne, tipOf } from './branches.ts';
import {
  differencesOf,
  type MergeRequestChange,
  type MergeRequestDifference,
} from './differences.ts';
import { findMergeRequest, type MergeRequestWithProjects } from './find.ts';
import { keepHead } from './head.ts';
import {
  type Changes,
  type HeadForHooks,
  headForHooks,
  type MergeRequestAction,
} from './hook-payload.ts';
import { type LockedMergeRequest, lockMergeRequest } from './lock.ts';
import { notifyMergeRequestChange } from './notify.ts';
import { canAdminMergeRequests, canUpdateMergeRequest } from './policy.ts';
import { noBranch, unfit } from './refusals.ts';
import { baseOf, closing, isMoved, reopening, sourceTip } from './state.ts';

/**
 * Updates a merge request and writes system notes of what changed; developers and the author may.
 * Gives its id. Ignores labels, milestone, assignee and the discussion lock from an author below
 * developer (v4-behaviour 3.4).
 */
export async function updateMergeRequest(
  ref: string,
  iid: number,
  asked: MergeRequestChange,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const found = await findMergeRequest(ref, iid, ctx, canUpdateMergeRequest);
  const { title, description, stateEvent, targetBranch, removesSourceBranch } = asked;
  const plain = { title, description, stateEvent, targetBranch, removesSourceBranch };
  const change: MergeRequestChange = canAdminMergeRequests(found.level, found.project)
    ? asked
    : plain;
  refuseFaults(issueFaults({ ...change, labels: change.labels ?? [] }));
  await refuseBadTarget(found, change, ctx);
  const moving = await movingBy(found, change, viewer.id, ctx);
  const work = () =>
    withHead(moving.head ?? found.sha, found, ctx, async (tx, head) => {
      const before = await lockMergeRequest(tx, found.id);
      const isMoving = isMoved(before, change.stateEvent);
      const sha = (isMoving && moving.head) || before.sha;
      if (head.sha !== sha) return { sha };
      const differences = [
        ...differencesOf(before, change),
        ...(isMoving ? moving.differences : []),
        ...(await changeMilestone(tx, found.project, before, change)),
        ...(await changeLabels(tx, mergeRequestKind, found.project, before, change)),
        ...(await changeAssignee(tx, found.project.id, before, change)),
      ];
      await store(tx, before, differences, { userId: viewer.id, head }, ctx);
      return null;
    });
  if (moving.isOpening || isRetargeted(found, change)) {
    const columns = { ...found, targetBranch: targetOf(found, change) };
    await asOnlyOne(columns, ctx, work, found.id);
  } else {
    await work();
  }
  if (moving.head !== null && found.sourceProject) {
    const { project: target, sourceProject: source } = found;
    await keepHead({ target, source, iid, sha: moving.head }, ctx);
  }
  return found.id;
}

const mostAttempts = 10;

/**
 * Runs `work` in a transaction, with the head commit read before. If a concurrent push changed the
 * head, `work` gives the new commit and is run again.
 */
async function withHead(
  expected: string | null,
  found: MergeRequestWithProjects,
  ctx: Context,
  work: (tx: Transaction, head: HeadForHooks) => Promise<{ readonly sha: string | null } | null>,
): Promise<void> {
  let sha = expected;
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const head = await headForHooks(sha, found, ctx);
    const other = await transact(ctx.db, (tx) => work(tx, head));
    if (other === null) return;
    sha = other.sha;
  }
  throw conflict('Merge request has been modified meanwhile');
}

const isRetargeted = (
  found: MergeRequestWithProjects,
  { targetBranch }: MergeRequestChange,
): boolean =>
  Boolean(targetBranch) && targetBranch !== found.targetBranch && found.state === 'opened';

const targetOf = (found: MergeRequestWithProjects, change: MergeRequestChange): string =>
  isRetargeted(found, change) && change.targetBranch ? change.targetBranch : found.targetBranch;

async function refuseBadTarget(
  found: MergeRequestWithProjects,
  change: MergeRequestChange,
  ctx: Pick<Context, 'git'>,
): Promise<void> {
  if (!isRetargeted(found, change)) return;
  const targetBranch = targetOf(found, change);
  if (found.sourceProjectId === found.projectId && found.sourceBranch === targetBranch) {
    throw unfit('You can not use same project/branch for source and target');
  }
  if ((await tipOf(found.project, targetBranch, ctx)) === null) {
    throw noBranch('Target', targetBranch);
  }
}

/** Reads from git what closing or reopening needs. */
async function movingBy(
  found: MergeRequestWithProjects,
  { stateEvent }: MergeRequestChange,
  userId: number,
  ctx: Pick<Context, 'git'>,
): Promise<{
  readonly differences: readonly MergeRequestDifference[];
  readonly isOpening: boolean;
  readonly head: string | null;
}> {
  if (!isMoved(found, stateEvent)) return { differences: [], isOpening: false, head: null };
  if (stateEvent === 'close') {
    const differences = [closing(userId, await baseOf(found, ctx))];
    return { differences, isOpening: false, head: null };
  }
  const head = await sourceTip(found, ctx);
  return { differences: [reopening(head)], isOpening: true, head };
}

async function store(
  tx: Transaction,
  before: LockedMergeRequest,
  differences: readonly MergeRequestDifference[],
  { userId, head }: { readonly userId: number; readonly head: HeadForHooks },
  ctx: Context,
): Promise<void> {
  if (differences.length === 0) return;
  const { id } = before;
  const text: Prisma.MergeRequestTextUncheckedUpdateInput = Object.assign(
    {},
    ...differences.map((difference) => difference.text),
  );
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
    select: { state: true, sourceProjectId: true, sourceBranch: true },
  });
  await recordSystemNotes(
    tx,
    { mergeRequestId: id },
    userId,
    differences.flatMap((difference) => difference.sentences ?? []),
  );
  const { sourceProjectId: projectId, sourceBranch } = after;
  if (projectId !== null && differences.some(({ columns }) => columns?.mergeStatus)) {
    await ctx.jobs.enqueue('follow-push', { projectId, userId, branches: [sourceBranch] }, tx);
  }
  const action = actionOf(before.state, after.state);
  const changes = changesOf(differences);
  await notifyMergeRequestChange(tx, { id, action, userId, head, changes }, ctx);
}

function actionOf(
  before: LockedMergeRequest['state'],
  after: LockedMergeRequest['state'],
): MergeRequestAction {
  if (before === after) return 'update';
  return after === 'opened' ? 'reopen' : 'close';
}

const changesOf = (differences: readonly MergeRequestDifference[]): Changes =>
  Object.fromEntries(
    differences.flatMap(({ hookChanges }) =>
      Object.entries(hookChanges ?? {}).map(([name, [previous, current]]) => [
        name,
        { previous, current },
      ]),
    ),
  );
