import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { isNoObject, noObject } from '../kernel/no-object.ts';
import { outageOf } from '../kernel/outage.ts';
import type { RefChange, RepositoryAddress } from '../ports/git/address.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import { branchPrefix, protectNewDefaultBranch, settleDefaultBranch } from './default-branch.ts';
import { deferSteps, type PushStepName, pushSteps } from './deferred-steps.ts';
import { readMessages, readPushedRefs, recordPushEvents, sendPushMessages } from './push-news.ts';
import { optionsOf, type PushOptions } from './push-options.ts';
import type { PushedProject } from './pushed-ref.ts';
import {
  deletedTags,
  deleteOrphanedReleases,
  type LedgerChange,
  ledgerChanges,
  storeReleases,
} from './releases.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'settings'>;

/** The maximum number of references per push that get pipelines. */
const mostRun = 100;

/** The maximum number of branches per push whose merge requests its options change. */
const mostBranches = 10;

/** A push whose consequences have been applied. */
export interface SettledPush {
  readonly userId: number | null;
  readonly project: PushedProject & { readonly mergeRequestsEnabled: boolean };
  /** The branches that it created or updated. */
  readonly branches: readonly string[];
}

/** How a push is settled. */
export interface Settling {
  /** The references no longer move. */
  readonly isOver?: boolean;
  /**
   * Applies the options about merge requests before the push leaves the ledger, because the pusher
   * waits for the outcome. False if it failed, and the job has to; absent: always the job.
   */
  readonly applyOptions?: (input: JobPayloads['apply-push-options']) => Promise<boolean>;
}

/**
 * Applies the consequences of a push, as derived from the current state of the repository: the
 * first branch becomes the default branch and is protected according to the settings, `HEAD`
 * follows, releases of deleted tags are deleted and those of new tags stored, events are recorded,
 * hooks are notified, and jobs create pipelines, update merge requests and recount sizes. A step that
 * fails is left to a job (ADR 62). Runs after each push, and later for each
 * push that a crash left open; idempotent. Unless `isOver`, a push without visible changes stays in
 * the ledger, because another process may be about to move its references. Null if nothing is
 * settled.
 */
export async function settlePush(
  id: bigint,
  parts: Parts,
  { isOver = true, applyOptions }: Settling = {},
): Promise<SettledPush | null> {
  const { db, git, jobs, settings } = parts;
  const push = await db.push.findUnique({ where: { id }, include: { project: true } });
  if (!push) return null;
  const { project } = push;
  if (project.isRemoved) {
    await db.push.deleteMany({ where: { id } });
    return null;
  }
  const changes = ledgerChanges(push.changes);
  const arrived = await appliedChanges(changes, project, git);
  if (!isOver && changes.length > 0 && arrived.length === 0) return null;
  const steps = pushSteps(changes, arrived);
  const defaultBranch = await steps.read('default-branch', project.defaultBranch, () =>
    settleDefaultBranch(project, arrived, parts),
  );
  await steps.read('releases', undefined, () =>
    deleteOrphanedReleases(project, deletedTags(changes), parts),
  );
  const options = optionsOf(changes);
  const settled = { ...push, project: { ...project, defaultBranch }, arrived, options };
  const requested = mergeRequestOptions(settled);
  const isApplied = !requested || ((await applyOptions?.(requested)) ?? false);
  const pushed = await steps.read('events', null, () =>
    readPushedRefs(settled.project, push.userId, arrived, parts),
  );
  if (steps.failed.has('events')) steps.failed.add('webhooks');
  const messages = await steps.read('webhooks', [], () => readMessages(pushed, parts));
  const record = (deferred: ReadonlySet<PushStepName>) =>
    db.$transaction(async (tx) => {
      // losing this commit is harmless: the ledger still has the push and settles it again
      await tx.$executeRaw`SET LOCAL synchronous_commit = off`;
      const { count } = await tx.push.deleteMany({ where: { id } });
      if (count === 0) return;
      await enqueueJobs(tx, settled, jobs);
      if (!isApplied) await jobs.enqueue('apply-push-options', requested, tx);
      const writes: Record<PushStepName, () => Promise<void>> = {
        'default-branch': () => protectNewDefaultBranch(tx, settled.project, arrived, settings),
        releases: () => storeReleases(tx, push, arrived),
        events: () => recordPushEvents(tx, project.id, pushed),
        webhooks: () => sendPushMessages(tx, project.id, messages, parts),
      };
      for (const step of steps.all) if (!deferred.has(step)) await writes[step]();
      await deferSteps(tx, { ...push, changes: arrived }, deferred, jobs);
    });
  await record(steps.failed).catch((error: unknown) => {
    // one of the steps: each is repeated by a job of its own, and the push leaves the ledger
    if (outageOf(error) || steps.all.length === 0) throw error;
    return record(new Set([...steps.all, ...steps.failed]));
  });
  return { userId: push.userId, project: settled.project, branches: presentBranches(arrived) };
}

interface Arrived {
  readonly projectId: number;
  readonly userId: number | null;
  readonly createdAt: Date;
  readonly project: { readonly jobsEnabled: boolean };
  readonly arrived: readonly LedgerChange[];
  readonly options: PushOptions;
}

/** What the options of a push request for merge requests; null for nothing. */
function mergeRequestOptions({
  projectId,
  userId,
  arrived,
  options: { mergeRequest = [] },
}: Arrived): JobPayloads['apply-push-options'] | null {
  const branches = presentBranches(arrived).slice(0, mostBranches);
  if (userId === null || mergeRequest.length === 0 || branches.length === 0) return null;
  const pushed = new Map(arrived.map(({ ref, after }) => [ref, after]));
  const heads = Object.fromEntries(
    branches.map((branch) => [branch, pushed.get(`${branchPrefix}${branch}`) ?? noObject]),
  );
  return { projectId, userId, branches, heads, mergeRequest };
}

/** Enqueues the jobs that follow every push. */
async function enqueueJobs(
  tx: Transaction,
  { projectId, userId, createdAt, project, arrived, options }: Arrived,
  jobs: Parts['jobs'],
): Promise<void> {
  if (arrived.length > 0) {
    const before = arrived.map((change) => change.before).filter((id) => !isNoObject(id));
    await jobs.enqueue(
      'refresh-statistics',
      { projectId, ...(before.length > 0 && { before }) },
      tx,
    );
  }
  const moved = movedBranches(arrived);
  const pushedAt = createdAt.toISOString();
  if (moved.branches.length > 0) {
    await jobs.enqueue('follow-push', { projectId, userId, ...moved, pushedAt }, tx);
  }
  const isSkipped = options.skipsCi || userId === null || !project.jobsEnabled;
  const changes = arrived.filter(isRunnable).slice(0, mostRun).map(asChange);
  if (isSkipped || changes.length === 0) return;
  const { sealedVariables } = options;
  const pushed = { projectId, userId, changes, pushedAt };
  await jobs.enqueue(
    'make-pipelines',
    { ...pushed, ...(sealedVariables && { sealedVariables }) },
    tx,
  );
}

/** The changes that took effect: the reference has the value that the push set. */
export async function appliedChanges(
  changes: readonly LedgerChange[],
  project: RepositoryAddress,
  git: Context['git'],
): Promise<readonly LedgerChange[]> {
  if (changes.length === 0) return [];
  const now = await git.readRefs(
    project,
    changes.map(({ ref }) => ref),
  );
  return changes.filter(({ ref, after }) =>
    isNoObject(after) ? !now.has(ref) : now.get(ref) === after,
  );
}

/** An existing branch or tag: its CI file may define a pipeline. */
const isRunnable = ({ ref, after, skipsCi }: LedgerChange): boolean =>
  !skipsCi && /^refs\/(heads|tags)\//.test(ref) && !isNoObject(after);

const asChange = ({ ref, before, after }: RefChange): RefChange => ({ ref, before, after });

/** The branches that the changes created or updated. */
const presentBranches = (changes: readonly RefChange[]): readonly string[] =>
  changes
    .filter(({ ref, after }) => ref.startsWith(branchPrefix) && !isNoObject(after))
    .map(({ ref }) => ref.slice(branchPrefix.length));

/** The branches among the changes, with their former commits. */
function movedBranches(changes: readonly RefChange[]) {
  const moved = changes
    .filter(({ ref }) => ref.startsWith(branchPrefix))
    .map(({ ref, before }) => [ref.slice(branchPrefix.length), before] as const);
  return { branches: moved.map(([branch]) => branch), before: Object.fromEntries(moved) };
}
