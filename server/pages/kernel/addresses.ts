import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { percentDecoded } from '../../../schema/kernel/percent-encoding.ts';

/** Characters; longer than all our addresses, even encoded. */
const longest = 8192;

/**
 * The path of an address, decoded and without surrounding slashes. Throws 404 for invalid paths:
 * broken encoding, NUL, and segments that are empty, `.` or `..`.
 */
export function pathIn(address: string): string {
  if (address.length > longest) throw pathNotFound();
  const path = percentDecoded(address)?.replace(/^\/|\/$/g, '') ?? '';
  const isOdd = path.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (isOdd || path.includes('\0')) throw pathNotFound();
  return path;
}

/** `master/lib/a.ts` → `['master', 'lib/a.ts']`; the second part is '' if there is no slash. */
export function splitFirst(path: string): readonly [string, string] {
  const slash = path.indexOf('/');
  return slash < 0 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
}

/** The folder that contains a path; '' for the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Parses an id in an address; throws 404 for anything else. */
export function numberIn(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw pathNotFound();
  return Number(text);
}

/** A record's id from an address; null if it is not a valid id. */
export const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
