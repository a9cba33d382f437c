import { isBranchName, isWholeId } from '../kernel/names.ts';

/** Bytes a segment may have on disk, where git writes a lock beside it: `<segment>.lock` in 255. */
const longestSegment = 250;

/** Whether a tag may be called like this: what git takes, and nobody mistakes for something else. */
export const isTagName = (name: string): boolean =>
  isBranchName(name) &&
  !name.startsWith('refs/') &&
  !isWholeId(name) &&
  !/\p{Surrogate}/u.test(name) &&
  name.split('/').every((segment) => Buffer.byteLength(segment) <= longestSegment);
