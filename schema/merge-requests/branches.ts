import { lookupTip } from '../branches/find.ts';
import type { Context } from '../kernel/context.ts';
import { isRefName } from '../kernel/ref-names.ts';
import { isUniqueViolation } from '../kernel/storage-errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { alreadyOpen, noBranch, noFork, unfit } from './refusals.ts';

interface Place extends RepositoryAddress {
  readonly id: number;
}

/** What is to be merged, and into what. */
export interface Branches {
  readonly source: Place;
  readonly target: Place;
  readonly sourceBranch: string;
  readonly targetBranch: string;
}

/** Refuses branches of which none is to be merged into the other. */
export async function refuseUnrelated(
  { source, target, sourceBranch, targetBranch }: Branches,
  ctx: Pick<Context, 'db'>,
): Promise<void> {
  if (source.id === target.id) {
    if (sourceBranch !== targetBranch) return;
    throw unfit('You can not use same project/branch for source and target');
  }
  if (!(await isForkOf(source.id, target.id, ctx))) throw noFork();
}

/** Whether a project came from another, be it by way of others. */
async function isForkOf(id: number, sourceId: number, { db }: Pick<Context, 'db'>) {
  const found = await db.$queryRaw<unknown[]>`
    WITH RECURSIVE origins AS (
      SELECT forked_from_id AS id FROM projects WHERE id = ${id}
      UNION
      SELECT forked_from_id FROM projects JOIN origins USING (id)
    )
    SELECT id FROM origins WHERE id = ${sourceId}`;
  return found.length > 0;
}

/** The tips of both, in their repositories; refuses what is not there. */
export async function tipsOf(
  { source, target, sourceBranch, targetBranch }: Branches,
  ctx: Pick<Context, 'git'>,
): Promise<{ readonly head: string; readonly base: string }> {
  const head = await tipOf(source, sourceBranch, ctx);
  if (head === null) throw noBranch('Source', sourceBranch);
  const base = await tipOf(target, targetBranch, ctx);
  if (base === null) throw noBranch('Target', targetBranch);
  return { head, base };
}

/** The tip of a branch that may have any name; null when there is none. */
export const tipOf = async (
  repository: RepositoryAddress,
  name: string,
  ctx: Pick<Context, 'git'>,
): Promise<string | null> => (isRefName(name) ? lookupTip(repository, name, ctx) : null);

interface Columns {
  readonly projectId: number;
  readonly sourceProjectId: number | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
}

/** Open ones between the same branches, of which there is one at most. */
const likeWith = ({ projectId, sourceProjectId, sourceBranch, targetBranch }: Columns) => ({
  projectId,
  sourceProjectId,
  sourceBranch,
  targetBranch,
  state: { in: ['opened' as const, 'locked' as const] },
});

/** Refuses a second open one between the same branches. */
export async function refuseSecond(
  columns: Columns,
  { db }: Pick<Context, 'db'>,
  exceptId?: number,
): Promise<void> {
  const found = await db.mergeRequest.findMany({
    where: { ...likeWith(columns), ...(exceptId !== undefined && { id: { not: exceptId } }) },
    select: { text: { select: { title: true } } },
    orderBy: { id: 'asc' },
  });
  if (found.length > 0) throw alreadyOpen(found.map(({ text }) => text?.title ?? ''));
}

/**
 * What `work` gives, which writes an open merge request; of several between the same branches, at
 * once, one is written, and the others are refused as they would have been a moment later.
 */
export async function asOnlyOne<T>(
  columns: Columns,
  ctx: Pick<Context, 'db'>,
  work: () => Promise<T>,
  exceptId?: number,
): Promise<T> {
  await refuseSecond(columns, ctx, exceptId);
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await refuseSecond(columns, ctx, exceptId);
    throw alreadyOpen([]);
  }
}
