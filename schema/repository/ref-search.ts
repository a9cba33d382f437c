import type { Ref, RefList } from '../ports/git/history.ts';

/** The references whose names contain a text, in any case, in the byte order of their names. */
export function refsNamed(search: string, list: RefList): readonly Ref[] {
  const lowerCased = search.toLowerCase();
  return list
    .slice(0, list.total, 'asc')
    .filter(({ name }) => name.toLowerCase().includes(lowerCased));
}
