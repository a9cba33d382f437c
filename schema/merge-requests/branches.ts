import { lookupTip } from '../branches/find.ts';
import type { Context } from '../kernel/context.ts';
import { isRefName } from '../kernel/ref-names.ts';
import { isUniqueViolation } from '../kernel/storage-errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { alreadyOpen, badBranches, noBranch, noFork } from './refusals.ts';

interface Place extends RepositoryAddress {
  readonly id: number;
}

/** The source and target branch of a merge request. */
export interface Branches {
  readonly source: Place;
  readonly target: Place;
  readonly sourceBranch: string;
  readonly targetBranch: string;
}

/** Throws unless the branches differ and belong to one project or to a fork and its source. */
export async function refuseUnrelated(
  { source, target, sourceBranch, targetBranch }: Branches,
  ctx: Pick<Context, 'db'>,
): Promise<void> {
  if (source.id === target.id) {
    if (sourceBranch !== targetBranch) return;
    throw badBranches('You can not use same project/branch for source and target');
  }
  if (!(await isForkOf(source.id, target.id, ctx))) throw noFork();
}

/** Whether a project is a fork of another, directly or through other forks. */
async function isForkOf(id: number, sourceId: number, { db }: Pick<Context, 'db'>) {
  const project = await db.$queryRaw<unknown[]>`
    WITH RECURSIVE origins AS (
      SELECT forked_from_id AS id FROM projects WHERE id = ${id}
      UNION
      SELECT forked_from_id FROM projects JOIN origins USING (id)
    )
    SELECT id FROM origins WHERE id = ${sourceId}`;
  return project.length > 0;
}

/** The tips of both branches; throws if a branch does not exist. */
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

/** The tip of a branch of any name, or null if the branch does not exist. */
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

/** Open merge requests between the same branches; at most one may exist. */
const sameBranches = ({ projectId, sourceProjectId, sourceBranch, targetBranch }: Columns) => ({
  projectId,
  sourceProjectId,
  sourceBranch,
  targetBranch,
  state: { in: ['opened' as const, 'locked' as const] },
});

/** Throws `conflict` if an open merge request between the same branches exists. */
async function refuseDuplicate(
  columns: Columns,
  { db }: Pick<Context, 'db'>,
  exceptId?: number,
): Promise<void> {
  const duplicates = await db.mergeRequest.findMany({
    where: { ...sameBranches(columns), ...(exceptId !== undefined && { id: { not: exceptId } }) },
    select: { text: { select: { title: true } } },
    orderBy: { id: 'asc' },
  });
  if (duplicates.length > 0) throw alreadyOpen(duplicates.map(({ text }) => text?.title ?? ''));
}

/**
 * Runs `work`, which writes an open merge request. Of several concurrent calls for the same
 * branches one succeeds; the others throw the same error as if they had run later.
 */
export async function withoutDuplicate<T>(
  columns: Columns,
  ctx: Pick<Context, 'db'>,
  work: () => Promise<T>,
  exceptId?: number,
): Promise<T> {
  await refuseDuplicate(columns, ctx, exceptId);
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await refuseDuplicate(columns, ctx, exceptId);
    throw alreadyOpen([]);
  }
}
