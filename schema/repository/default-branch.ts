import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { isNoObject } from '../kernel/no-object.ts';
import type { RefChange, RepositoryAddress } from '../ports/git/address.ts';
import type { Settings } from '../ports/settings.ts';

export const branchPrefix = 'refs/heads/';

interface SettledProject extends RepositoryAddress {
  readonly id: number;
  readonly defaultBranch: string | null;
}

/**
 * Makes the first pushed branch the default branch if there was none, and lets `HEAD` follow. Gives
 * the default branch. Idempotent.
 */
export async function settleDefaultBranch(
  project: SettledProject,
  arrived: readonly RefChange[],
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<string | null> {
  const defaultBranch = (await hasDefaultBranch(project, arrived, git))
    ? project.defaultBranch
    : await electDefaultBranch(arrived, project, db);
  if (defaultBranch !== null) await pointHead(project, `${branchPrefix}${defaultBranch}`, git);
  return defaultBranch;
}

/** Protects the default branch if one of the changes created it. */
export async function protectNewDefaultBranch(
  tx: Transaction,
  { id, defaultBranch }: Pick<SettledProject, 'id' | 'defaultBranch'>,
  arrived: readonly RefChange[],
  settings: Settings,
): Promise<void> {
  const headRef = `${branchPrefix}${defaultBranch}`;
  const isBorn = arrived.some(({ ref, before }) => ref === headRef && isNoObject(before));
  if (defaultBranch !== null && isBorn) await protectDefaultBranch(tx, id, defaultBranch, settings);
}

/** Whether the changes may decide about the default branch. */
export const createsBranch = (changes: readonly RefChange[]): boolean =>
  firstBranch(changes) !== null;

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
  db: Context['db'],
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

const firstBranch = (changes: readonly RefChange[]): string | null => {
  const created = changes.filter(
    ({ ref, after }) => ref.startsWith(branchPrefix) && !isNoObject(after),
  );
  const called = (name: string) => created.find(({ ref }) => ref === `${branchPrefix}${name}`);
  const preferred = called('master') ?? called('main') ?? created[0];
  return preferred ? preferred.ref.slice(branchPrefix.length) : null;
};
