/** Names that git's check-ref-format rejects, and a leading dash. */
const shape = /^(?![-/.])(?!.*(?:\/\/|\.\.|@\{|\/\.|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![./])$/u;

const longestName = 255;

/** Bytes of a segment on disk; git writes the lock `<segment>.lock` beside it, in at most 255. */
const longestSegment = 250;

/** Characters without UTF-8 bytes, or the replacement for bytes that are not UTF-8. */
const undecodable = /\p{Surrogate}|\ufffd/u;

/** Whether the name reads as a full commit id. */
export const isWholeId = (name: string): boolean => /^[0-9a-f]{40}$/i.test(name);

/**
 * Whether a branch or tag may be created with this name, over any interface including a push.
 * Beyond git's own rules this excludes names that git or a client would read as an option, `HEAD`,
 * a commit id, or the full name of another reference.
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
