/** File systems and browsers allow no more. */
const longestName = 255;

/** A longer extension is truncated like the rest of the name. */
const longestExtension = 30;

/** Only the last extension counts: `.gz` of `.tar.gz`. */
const extensionOf = (name: string): string => /(?<=.)\.[^.]+$/.exec(name)?.[0] ?? '';

/** A file's name without its last extension: `photo.of.me.png` → `photo.of.me`. */
export const baseNameOf = (name: string): string =>
  name.slice(0, name.length - extensionOf(name).length);

/**
 * A safe file name made of a client's: no folders; letters and digits of any script, `.`, `-`, `+`
 * and `_`; other characters become `_`; never empty, `.` or `..`.
 */
export function plainFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[^\p{L}\p{M}\p{N}\p{Pc}.+-]/gu, '_');
  if (plain === '') return 'unnamed';
  const name = /^\.+$/.test(plain) ? `_${plain}` : plain;
  if (name.length <= longestName) return name;
  const extension = extensionOf(name);
  const kept = extension.length <= longestExtension ? extension : '';
  // the cut may split a surrogate pair
  return `${name.slice(0, longestName - kept.length).replace(/\p{Surrogate}$/u, '')}${kept}`;
}

/** Whether the extension is that of an image that pages embed. */
export const isNamedAsPicture = (name: string): boolean =>
  /\.(?:png|jpe?g|gif|bmp|tiff?|webp)$/i.test(name);
