import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { isNoObject, noObject } from '../kernel/no-object.ts';
import type { RefChange, RepositoryAddress } from '../ports/git/address.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import type { Settings } from '../ports/settings.ts';
import { readPushEvents, recordPushEvents } from './push-news.ts';
import type { PushOptions } from './push-options.ts';
import type { PushedProject } from './pushed-ref.ts';
import {
  deletedTags,
  deleteOrphanedReleases,
  type LedgerChange,
  storeReleases,
} from './releases.ts';

const branchPrefix = 'refs/heads/';

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
 * hooks are notified, and a job recounts sizes. Runs after each push, and later for each
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
  const changes = push.changes as unknown as readonly LedgerChange[];
  const arrived = await appliedChanges(changes, project, git);
  if (!isOver && changes.length > 0 && arrived.length === 0) return null;
  const defaultBranch = (await hasDefaultBranch(project, arrived, git))
    ? project.defaultBranch
    : await electDefaultBranch(arrived, project, db);
  const headRef = `${branchPrefix}${defaultBranch}`;
  if (defaultBranch !== null) await pointHead(project, headRef, git);
  await deleteOrphanedReleases(project, deletedTags(changes), { db, git });
  const options = changes[0]?.options ?? {};
  const settled = { ...push, project: { ...project, defaultBranch }, arrived, options };
  const requested = mergeRequestOptions(settled);
  const isApplied = !requested || ((await applyOptions?.(requested)) ?? false);
  const news = await readPushEvents(settled.project, push.userId, arrived, parts);
  await db.$transaction(async (tx) => {
    // losing this commit is harmless: the ledger still has the push and settles it again
    await tx.$executeRaw`SET LOCAL synchronous_commit = off`;
    const { count } = await tx.push.deleteMany({ where: { id } });
    if (count === 0) return;
    if (arrived.length > 0) {
      await tx.project.updateMany({
        where: { id: project.id },
        data: { lastActivityAt: new Date() },
      });
    }
    await enqueueJobs(tx, settled, jobs);
    if (!isApplied) await jobs.enqueue('apply-push-options', requested, tx);
    const isBorn = arrived.some(({ ref, before }) => ref === headRef && isNoObject(before));
    if (defaultBranch !== null && isBorn)
      await protectDefaultBranch(tx, project.id, defaultBranch, settings);
    await storeReleases(tx, push, arrived);
    await recordPushEvents(tx, project.id, news, parts);
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
  if (arrived.length > 0) await jobs.enqueue('refresh-statistics', { projectId }, tx);
  const moved = movedBranches(arrived);
  if (moved.branches.length > 0) {
    await jobs.enqueue('follow-push', { projectId, userId, ...moved }, tx);
  }
  const isSkipped = options.skipsCi || userId === null || !project.jobsEnabled;
  const changes = arrived.filter(isRunnable).slice(0, mostRun).map(asChange);
  if (isSkipped || changes.length === 0) return;
  const { sealedVariables } = options;
  const pushed = { projectId, userId, changes, pushedAt: createdAt.toISOString() };
  await jobs.enqueue(
    'make-pipelines',
    { ...pushed, ...(sealedVariables && { sealedVariables }) },
    tx,
  );
}

/** False if the repository has branches, but not the configured default branch. */
async function hasDefaultBranch(
  project: RepositoryAddress & { readonly defaultBranch: string | null },
  arrived: readonly RefChange[],
  git: Context['git'],
): Promise<boolean> {
  if (project.defaultBranch === null) return false;
  if (firstBranch(arrived) === null) return true;
  const ref = `${branchPrefix}${project.defaultBranch}`;
  return (await git.readRefs(project, [ref])).has(ref);
}

/**
 * Makes the first branch the default branch, also if another one was configured but not pushed. Of
 * two concurrent first pushes, one decides for both.
 */
async function electDefaultBranch(
  arrived: readonly RefChange[],
  { id, defaultBranch }: { readonly id: number; readonly defaultBranch: string | null },
  db: Parts['db'],
): Promise<string | null> {
  const candidate = firstBranch(arrived);
  if (candidate === null) return defaultBranch;
  await db.project.updateMany({
    where: { id, defaultBranch },
    data: { defaultBranch: candidate },
  });
  const project = await db.project.findUnique({ where: { id }, select: { defaultBranch: true } });
  return project?.defaultBranch ?? null;
}

async function pointHead(repository: RepositoryAddress, ref: string, git: Context['git']) {
  if ((await git.head(repository)) !== ref) await git.setHead(repository, ref);
}

/** Protects a newly pushed default branch according to `default_branch_protection`. */
export async function protectDefaultBranch(
  tx: Transaction,
  projectId: number,
  name: string,
  settings: Settings,
): Promise<void> {
  const levels = {
    1: { pushAccessLevel: 30, mergeAccessLevel: 40 },
    2: { pushAccessLevel: 40, mergeAccessLevel: 40 },
    3: { pushAccessLevel: 40, mergeAccessLevel: 30 },
  }[settings.current.defaultBranchProtection];
  if (!levels) return;
  await tx.protectedBranch.createMany({
    data: [{ ...levels, projectId, name }],
    skipDuplicates: true,
  });
}

/** The changes that took effect: the reference has the value that the push set. */
async function appliedChanges(
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

const firstBranch = (changes: readonly RefChange[]): string | null => {
  const created = changes.filter(
    ({ ref, after }) => ref.startsWith(branchPrefix) && !isNoObject(after),
  );
  const called = (name: string) => created.find(({ ref }) => ref === `${branchPrefix}${name}`);
  const preferred = called('master') ?? called('main') ?? created[0];
  return preferred ? preferred.ref.slice(branchPrefix.length) : null;
};
