import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../prisma/client.ts';
import type { RecordChanges, RecordNews, RecordTopic } from '../../schema/ports/record-news.ts';
import { watchedRecords } from './watched-records.ts';

/** Milliseconds between two events of a subscription, and between two announcements of traces. */
const pauseMs = 500;

/** Changed notes that wait for one subscriber. */
const maxNoteIds = 100;

/** Ids in one notification, which PostgreSQL limits to 8000 bytes. */
const idsPerNotification = 500;

interface News extends RecordNews {
  /** Handles a notification of a changed record: a topic, and the id of a note. */
  recordChanged(payload: string): void;
  /** Handles a notification of grown traces: the ids of their jobs. */
  tracesGrew(payload: string): void;
  /** Called when notifications may have been lost. */
  gap(): void;
  /** How many subscriptions listen, counted once for each topic. */
  listeners(): number;
  stop(): void;
}

interface Listener {
  changed(noteId: number | null): void;
  lost(): void;
}

/** Distributes notifications of changed records to the subscriptions of this process. */
export function recordNews(
  db: Pick<Database, '$queryRaw' | '$executeRaw'>,
  onError: (error: unknown) => void,
): News {
  const listeners = new Map<string, Set<Listener>>();

  const add = (topic: RecordTopic, listener: Listener) =>
    listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener));
  const remove = (topic: RecordTopic, listener: Listener) => {
    const others = listeners.get(topic);
    others?.delete(listener);
    if (others?.size === 0) listeners.delete(topic);
  };
  const notify = (topic: string, noteId: number | null = null) => {
    for (const listener of listeners.get(topic) ?? []) listener.changed(noteId);
  };
  const gap = () => {
    for (const each of listeners.values()) for (const listener of each) listener.lost();
  };
  const traces = traceAnnouncer(db, onError);
  const watched = watchedRecords(db, {
    topics: () => [...listeners.keys()].filter(isRecord),
    onLapse: gap,
    onError,
  });

  return {
    changes: async (topics, signal) => {
      const { listener, changes } = collectChanges(signal);
      if (!signal.aborted) {
        for (const topic of topics) add(topic, listener);
        const stop = () => {
          for (const topic of topics) remove(topic, listener);
        };
        signal.addEventListener('abort', stop, { once: true });
      }
      await watched.watch(topics.filter(isRecord));
      return changes();
    },
    announceTrace: traces.announce,
    recordChanged: (payload) => {
      const [kind, id, noteId] = payload.split(' ');
      notify(`${kind} ${id}`, noteId === undefined ? null : Number(noteId));
    },
    tracesGrew: (payload) => {
      for (const id of payload.split(' ')) notify(`trace ${id}`);
    },
    gap,
    listeners: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
    stop: () => {
      traces.stop();
      watched.stop();
    },
  };
}

/** Traces are announced to all processes, the changes of records to those that wait for them. */
const isRecord = (topic: string): boolean => !topic.startsWith('trace ');

/**
 * Collects the changes for one subscriber. However slowly it reads, it has one entry that waits: a
 * later change joins it.
 */
function collectChanges(signal: AbortSignal) {
  let noteIds = new Set<number>();
  let [isChanged, isIncomplete] = [false, false];
  let wake = () => {};
  const listener: Listener = {
    changed: (noteId) => {
      isChanged = true;
      if (noteId !== null) {
        if (noteIds.size < maxNoteIds) noteIds.add(noteId);
        else isIncomplete = true;
      }
      wake();
    },
    lost: () => {
      [isChanged, isIncomplete] = [true, true];
      wake();
    },
  };
  signal.addEventListener('abort', () => wake(), { once: true });
  const take = (): RecordChanges => {
    const changes = { noteIds: [...noteIds], isIncomplete };
    noteIds = new Set();
    [isChanged, isIncomplete] = [false, false];
    return changes;
  };
  return {
    listener,
    changes: async function* () {
      for (let readyAt = 0; !signal.aborted; readyAt = performance.now() + pauseMs) {
        if (!isChanged) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const pause = readyAt - performance.now();
        if (pause > 0) await delay(pause, null, { signal }).catch(() => {});
        if (signal.aborted) return;
        yield take();
      }
    },
  };
}

/**
 * Announces grown traces: the first one at once, those of the next half second together. Traces are
 * files, so there is no transaction whose commit could announce them.
 */
function traceAnnouncer(db: Pick<Database, '$queryRaw'>, onError: (error: unknown) => void) {
  let waiting = new Set<number>();
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;

  const send = async () => {
    const ids = [...waiting];
    waiting = new Set();
    try {
      for (let start = 0; start < ids.length; start += idsPerNotification) {
        const payload = ids.slice(start, start + idsPerNotification).join(' ');
        await db.$queryRaw`SELECT pg_notify('millrace_traces', ${payload})::text`;
      }
    } catch (error) {
      // the next piece, or the end of the job, announces the rest
      onError(error);
    }
  };
  const flush = () => {
    timer = null;
    if (waiting.size === 0 || isOver) return;
    timer = setTimeout(flush, pauseMs);
    timer.unref();
    void send();
  };

  return {
    announce: (jobId: number) => {
      waiting.add(jobId);
      if (timer === null) flush();
    },
    stop: () => {
      isOver = true;
      if (timer) clearTimeout(timer);
    },
  };
}
