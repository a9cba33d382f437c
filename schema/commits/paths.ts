import { rejected } from '../kernel/errors.ts';

const longest = 4096;

/** Characters that macOS file systems ignore. */
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Throws for a path that git's trees do not allow, with the texts of v4-behaviour 3.7. */
export function checkPath(path: string): string {
  if (path === '') throw rejected('You must provide a file path');
  const names = path.split('/');
  if (names.some((name) => name === '.' || name === '..')) {
    throw rejected('Path cannot include directory traversal');
  }
  const isPossible = Buffer.byteLength(path) <= longest && !path.includes('\0');
  if (!isPossible || names.some((name) => name === '' || isGitFolder(name))) {
    throw rejected(`Invalid path: '${path.slice(0, longest)}'`);
  }
  return path;
}

/** Names that some file system would read as `.git`; git rejects them, too. */
export function isGitFolder(name: string): boolean {
  return name
    .replace(unseen, '')
    .toLowerCase()
    .split(/[\\:]/)
    .some((part) => /^(?:\.git|git~1)[. ]*$/.test(part));
}
