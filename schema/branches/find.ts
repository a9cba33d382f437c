import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { Ref } from '../ports/git/history.ts';

export const branchRef = (name: string): string => `refs/heads/${name}`;

/** The commit at the tip of a branch, or null if it does not exist. */
export async function lookupTip(
  repository: RepositoryAddress,
  name: string,
  { git }: Pick<Context, 'git'>,
): Promise<string | null> {
  const ref = branchRef(name);
  return (await git.readRefs(repository, [ref])).get(ref) ?? null;
}

/** The branch `name`; throws if it does not exist. */
export async function findBranch(
  repository: RepositoryAddress,
  name: string,
  ctx: Pick<Context, 'git'>,
): Promise<Ref> {
  const id = await lookupTip(repository, name, ctx);
  if (id === null) throw notFound('Branch');
  return { name, id };
}
