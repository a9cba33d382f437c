import { once } from 'node:events';
import type { Server } from 'node:http';

/** Accepts no new connections, and gives open ones that many milliseconds to finish. */
export async function closeServer(server: Server, patience: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), patience);
  await closed;
  clearTimeout(cut);
}
