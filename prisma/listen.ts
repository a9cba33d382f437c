import { setTimeout as delay } from 'node:timers/promises';
import { openSession, type Session } from './client.ts';

export interface ListenOptions {
  /** Called after each reconnect: notifications in between are lost, so clear caches. */
  readonly onGap: () => void;
  readonly onError?: (error: Error) => void;
}

export interface Listener {
  close(): Promise<void>;
}

type OnNotify = (channel: string, payload: string) => void;

const firstPause = 100;
const maxPauseMs = 5_000;

/** Milliseconds: what other processes have changed is missed as long as a dead connection is not noticed. */
const heartbeat = 10_000;
const answerLimit = 5_000;

/**
 * Listens to `channels` on a connection of its own, and reconnects when it is lost. Resolves once
 * it listens; rejects when the first connection fails.
 */
export async function listen(
  url: string,
  channels: readonly string[],
  onNotify: OnNotify,
  options: ListenOptions,
): Promise<Listener> {
  const closing = new AbortController();
  let session = await subscribe(url, channels, onNotify);

  const reconnect = async (): Promise<Session | null> => {
    for (let pause = firstPause; !closing.signal.aborted; pause = Math.min(pause * 2, maxPauseMs)) {
      try {
        return await subscribe(url, channels, onNotify);
      } catch (error) {
        options.onError?.(error as Error);
        await delay(pause, null, { signal: closing.signal }).catch(() => {});
      }
    }
    return null;
  };

  const watch = async () => {
    while (!closing.signal.aborted) {
      await lost(session, closing.signal);
      await session.end().catch(() => {});
      const next = await reconnect();
      if (!next) return;
      session = next;
      options.onGap();
    }
  };

  const watching = watch();
  return {
    async close() {
      closing.abort();
      await watching;
      await session.end().catch(() => {});
    },
  };
}

async function subscribe(url: string, channels: readonly string[], onNotify: OnNotify) {
  const session = await openSession(url, { answerLimit });
  session.on('notification', ({ channel, payload }) => onNotify(channel, payload ?? ''));
  try {
    for (const channel of channels) {
      await session.query(`LISTEN ${session.escapeIdentifier(channel)}`);
    }
  } catch (error) {
    await session.end().catch(() => {});
    throw error;
  }
  return session;
}

/** Resolves when the connection is closed, or a heartbeat gets no response. */
async function lost(session: Session, signal: AbortSignal): Promise<void> {
  let beat: NodeJS.Timeout | undefined;
  let stop = () => {};
  await new Promise<void>((resolve) => {
    stop = resolve;
    beat = setInterval(() => session.query('SELECT 1').catch(stop), heartbeat);
    session.once('end', stop);
    session.once('error', stop);
    signal.addEventListener('abort', stop);
  });
  clearInterval(beat);
  signal.removeEventListener('abort', stop);
}
