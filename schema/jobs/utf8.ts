/** The length of a character in bytes by its first byte; 1 for a byte that begins none. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

const isContinuation = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

/** UTF-8 text without an incomplete character at its end; other invalid bytes stay. */
export function withoutPartialCharacter(bytes: Buffer): Buffer {
  const longest = 4;
  for (let back = 1; back <= Math.min(longest, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
