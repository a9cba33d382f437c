/** File systems and address bars have no room for more. */
const longestName = 255;

/** An ending beyond this is none: it is cut like the rest. */
const longestExtension = 30;

/** `.tar.gz` is not one ending but two: only the last counts. */
const extensionOf = (name: string): string => /(?<=.)\.[^.]+$/.exec(name)?.[0] ?? '';

/** A file's name without its last extension: `photo.of.me.png` → `photo.of.me`. */
export const baseNameOf = (name: string): string =>
  name.slice(0, name.length - extensionOf(name).length);

/**
 * What a client called a file, as the name of one: no folders, letters and digits of any script,
 * `.`, `-`, `+` and `_`, all else becomes `_`; never empty, never `.` or `..`.
 */
export function plainFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[^\p{L}\p{M}\p{N}\p{Pc}.+-]/gu, '_');
  if (plain === '') return 'unnamed';
  const name = /^\.+$/.test(plain) ? `_${plain}` : plain;
  if (name.length <= longestName) return name;
  const extension = extensionOf(name);
  const kept = extension.length <= longestExtension ? extension : '';
  // half a character at the cut is no character
  return `${name.slice(0, longestName - kept.length).replace(/\p{Surrogate}$/u, '')}${kept}`;
}

/** Whether a name says that the file is a picture that pages show. */
export const isNamedAsPicture = (name: string): boolean =>
  /\.(?:png|jpe?g|gif|bmp|tiff?|webp)$/i.test(name);
