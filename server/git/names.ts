const forbiddenInRef =
  /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|\.$|\/$|^[-./]|^@$|\p{Surrogate}|\ufffd/u;
const maxRefBytes = 1024;
const maxPathBytes = 4096;

/** A full object id. */
export const isSha = (text: string) => /^[0-9a-f]{40}$/.test(text);

/** A full or shortened object id. */
export const isShaLike = (text: string) => /^[0-9a-f]{4,40}$/i.test(text);

/** A name that git accepts for a reference, and that cannot be mistaken for an option. */
export const isSafeRef = (text: string) =>
  text !== '' && Buffer.byteLength(text) <= maxRefBytes && !forbiddenInRef.test(text);

/** A path from the root of a tree, without empty, `.` or `..` segments; '' is the root. */
export const isSafePath = (text: string) =>
  text === '' ||
  (Buffer.byteLength(text) <= maxPathBytes &&
    !text.includes('\0') &&
    text.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..'));
