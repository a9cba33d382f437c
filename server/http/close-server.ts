import { once } from 'node:events';
import type { Server } from 'node:http';

/** Takes no more connections; those that are open may finish within so many milliseconds. */
export async function closeServer(server: Server, patience: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), patience);
  await closed;
  clearTimeout(cut);
}
