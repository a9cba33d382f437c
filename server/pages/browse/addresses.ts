import { pathNotFound } from '../../../schema/kernel/errors.ts';

/** No address of ours is longer, also where it is encoded. */
const longest = 8192;

/**
 * The path of an address, decoded and without slashes around it. Refuses what nothing can be called:
 * broken encodings, NUL, and parts that are empty or lead elsewhere.
 */
export function pathIn(address: string): string {
  if (address.length > longest) throw pathNotFound();
  const path = decoded(address).replace(/^\/|\/$/g, '');
  const isOdd = path.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (isOdd || path.includes('\0')) throw pathNotFound();
  return path;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    throw pathNotFound();
  }
}

/** `master/lib/a.ts` → `['master', 'lib/a.ts']`; the second is '' where there is none. */
export function splitFirst(path: string): readonly [string, string] {
  const slash = path.indexOf('/');
  return slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
}

/** The number that a part of an address is; refuses anything else. */
export function numberIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw pathNotFound();
  return Number(text);
}
