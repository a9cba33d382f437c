import { isUtf8 } from 'node:buffer';

/** Decodes the text of an object; `isCut`: it may end within a character. Never throws. */
export type Decode = (bytes: Buffer, isCut?: boolean) => string;

const maxLabelBytes = 40;

/**
 * Decodes the texts of a commit or tag by the encoding that it declares, if that is known and fits
 * the bytes, else as UTF-8, else as Latin-1, which fits any. NUL, which PostgreSQL cannot store,
 * becomes the replacement character.
 */
export function decoderFor(label: Buffer | null): Decode {
  const name = label && label.length <= maxLabelBytes ? label.toString('latin1') : '';
  const declared = name === '' ? null : declaredDecoder(name);
  return (bytes, isCut = false) => {
    const text = declared?.(bytes, isCut) ?? utf8(bytes, isCut) ?? bytes.toString('latin1');
    return text.replaceAll('\0', '\ufffd');
  };
}

/** Decodes by the encoding with this name, to null if the bytes do not fit it; null if it is unknown. */
function declaredDecoder(name: string) {
  let encoding: string;
  try {
    ({ encoding } = new TextDecoder(name, { fatal: true }));
  } catch {
    return null;
  }
  if (encoding === 'utf-8') return null;
  // git writes no NUL into a commit, so that a message in UTF-16 is almost always mislabelled
  const isWide = encoding.startsWith('utf-16');
  return (bytes: Buffer, isCut: boolean): string | null => {
    if (isWide && !bytes.includes(0)) {
      const text = utf8(bytes, isCut);
      if (text !== null) return text;
    }
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: isCut });
    } catch {
      return null;
    }
  };
}

/** Null if the bytes are not UTF-8. */
function utf8(bytes: Buffer, isCut: boolean): string | null {
  const whole = isCut ? bytes.subarray(0, endOfCharacters(bytes)) : bytes;
  return isUtf8(whole) ? whole.toString('utf8') : null;
}

const maxCharacterBytes = 4;

/** The end of the last whole UTF-8 character. */
function endOfCharacters(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - maxCharacterBytes);
  for (let at = bytes.length - 1; at >= first; at -= 1) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : maxCharacterBytes;
    return at + size > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}
