import type { Context } from '../kernel/context.ts';
import type { Ref } from '../ports/git/history.ts';
import type { ReadableRepository } from '../repository/types.ts';

/** The full reference of a tag. */
export const tagRef = (name: string) => `refs/tags/${name}`;

/** The tag of this name, or null. */
export async function lookupTag(
  repository: ReadableRepository,
  name: string,
  { git }: Pick<Context, 'git'>,
): Promise<Ref | null> {
  const ref = tagRef(name);
  const id = (await git.readRefs(repository, [ref])).get(ref);
  return id === undefined ? null : { name, id };
}
