/** The `Git-Protocol` header if it is well formed; git ignores unknown keys. */
export const readGitProtocol = (header: string | undefined): string | null =>
  header !== undefined && /^[A-Za-z0-9=:._-]{1,256}$/.test(header) ? header : null;

export const isVersion2 = (protocol: string | null) =>
  protocol?.split(':').includes('version=2') ?? false;

/** A pkt-line: four hex digits of length, then the text. */
export const packetLine = (text: string) =>
  (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;

export const flushPacket = '0000';
