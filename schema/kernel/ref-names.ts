/** What git's own check-ref-format refuses, and a leading dash. */
const shape = /^(?![-/.])(?!.*(?:\/\/|\.\.|@\{|\/\.|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![./])$/u;

const longestName = 255;

/** Bytes a segment may have on disk, where git writes a lock beside it: `<segment>.lock` in 255. */
const longestSegment = 250;

/** Characters that have no bytes of their own, or stand for bytes that are not UTF-8. */
const undecodable = /\p{Surrogate}|\ufffd/u;

/** Whether everybody would take such a name for a commit. */
export const isWholeId = (name: string): boolean => /^[0-9a-f]{40}$/i.test(name);

/**
 * Whether a branch or tag may be created with this name, over any interface, a push included. Beyond
 * git's own rules it refuses what git or a client would read as something else: an option, `HEAD`, a
 * commit id, or the full name of another reference.
 */
export const isRefName = (name: string): boolean =>
  name.length <= longestName &&
  shape.test(name) &&
  !undecodable.test(name) &&
  name !== '@' &&
  name !== 'HEAD' &&
  !name.startsWith('refs/') &&
  !isWholeId(name) &&
  name.split('/').every((segment) => Buffer.byteLength(segment) <= longestSegment);
