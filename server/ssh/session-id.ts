import type { Socket } from 'node:net';

/** Characters of the line that names the session of a hook. */
const sessionIdLength = 36;

/** The first line of a hook's connection; the rest stays in the socket. */
export async function readSessionId(socket: Socket): Promise<string> {
  let text = '';
  for (;;) {
    const chunk: Buffer | null = socket.read(sessionIdLength + 1 - text.length);
    if (chunk) text += chunk.toString('latin1');
    if (text.length === sessionIdLength + 1) return text.slice(0, sessionIdLength);
    if (socket.readableEnded || socket.destroyed) throw new Error('a hook named no session');
    await new Promise((resolve) => {
      socket.once('readable', resolve).once('end', resolve).once('close', resolve);
    });
  }
}
