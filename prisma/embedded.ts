import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, canReach, chooseAccount } from './postgres-account.ts';
import { findBinaries } from './postgres-binaries.ts';
import { ensureCluster } from './postgres-cluster.ts';
import { acquireLock, type Lock } from './postgres-lock.ts';
import { clusterName, stopOrphans } from './postgres-processes.ts';
import { isReady, type Server, startServer, urlOf } from './postgres-server.ts';

export interface EmbeddedOptions {
  /** Ours alone: data and lock. Made when absent. */
  readonly folder: string;
  /** Told each line that PostgreSQL writes. */
  readonly log: (line: string) => void;
  /** Told why PostgreSQL ended by itself, before it is started again. */
  readonly onRestart?: (reason: string) => void;
  /** Milliseconds before each attempt to start it again; the usual ones when left out. */
  readonly pauses?: readonly number[];
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** Ends PostgreSQL, which undoes what is not committed; may be called more than once. */
  stop(): Promise<void>;
  /** Tells `listener` why, should PostgreSQL end before `stop` asks for it and not start again. */
  onExit(listener: (reason: string) => void): void;
}

const database = 'millrace';
const socketPrefix = 'millrace-';

/** A fast shutdown writes what is in memory; after this it is cut short, and recovered at the next start. */
const stopLimit = 30_000;

/** A server that ended is started again so many times, at growing distances. */
const usualPauses = [1_000, 5_000, 15_000];

/** Milliseconds; attempts are counted anew after it has run for as long. */
const ranWell = 600_000;

/** Longer paths do not fit into the address of a Unix socket, whose name here is 15 bytes. */
const longestFolder = 107 - '/.s.PGSQL.5432'.length;

/**
 * Starts the PostgreSQL that Millrace brings along, on the data in `folder`, reachable over a Unix
 * socket only. Refuses when another Millrace is at it; what a killed one left is cleared away.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (platform === 'win32') {
    throw new Error('On Windows Millrace needs a PostgreSQL of your own: set DATABASE_URL.');
  }
  const folder = resolve(options.folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = acquireLock(folder);
  try {
    return await startLocked(folder, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startLocked(
  folder: string,
  lock: Lock,
  { log, onRestart = () => {}, pauses = usualPauses }: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const cluster = join(folder, 'cluster');
  const account = await chooseAccount(cluster);
  const { initdb, postgres } = await findBinaries(folder, account);
  await ensureCluster(folder, cluster, initdb, account);
  const name = await clusterName(cluster);
  await clearRemains(cluster, name, log);
  await clearSockets(lock.killed?.sockets);

  const sockets = await makeSocketFolder(account);
  lock.record(sockets);
  const place = { postgres, cluster, sockets, name, account };
  const closing = new AbortController();
  let server = startServer(place, log);

  /** Starts it in the same place, so that its URL stays; null, or why that failed. */
  const restart = async (): Promise<string | null> => {
    try {
      await clearRemains(cluster, name, log);
      if (closing.signal.aborted) return null;
      server = startServer(place, log);
      await untilReady(server, sockets);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  /** Watches until it is stopped, or has ended too often: gives the last reason then. */
  const watch = async (): Promise<string | null> => {
    let attempt = 0;
    let startedAt = Date.now();
    for (let failure: string | null = null; ; ) {
      const reason: string = failure ?? (await server.ended);
      if (closing.signal.aborted) return null;
      if (Date.now() - startedAt > ranWell) attempt = 0;
      const next = pauses[attempt];
      if (next === undefined) return reason;
      attempt += 1;
      onRestart(reason);
      await delay(next, null, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return null;
      failure = await restart();
      startedAt = Date.now();
    }
  };

  let watching: Promise<string | null> = Promise.resolve(null);
  let stopping: Promise<void> | undefined;
  const stop = () => {
    closing.abort();
    stopping ??= stopServer(server)
      .then(() => watching)
      .then(() => rm(sockets, { recursive: true, force: true }))
      .finally(() => lock.release());
    return stopping;
  };
  try {
    await untilReady(server, sockets);
  } catch (error) {
    await stop();
    throw error;
  }
  watching = watch();
  return {
    url: urlOf(sockets, database),
    stop,
    onExit(listener) {
      watching.then((reason) => {
        if (reason !== null) listener(reason);
      });
    },
  };
}

/** Ends what another process left running on the data; nothing serves it then. */
async function clearRemains(
  cluster: string,
  name: string,
  log: EmbeddedOptions['log'],
): Promise<void> {
  if (await stopOrphans(name)) log('stopped the PostgreSQL of a Millrace that was killed');
  // the pid in this file may belong to another process by now
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** A folder that only the account (and root) can enter, which is what guards the database. */
async function makeSocketFolder(account: Account | null): Promise<string> {
  for (const home of [tmpdir(), '/tmp', '/var/tmp', '/run']) {
    if (account && !(await canReach(home, account).catch(() => false))) continue;
    const folder = await mkdtemp(join(home, socketPrefix)).catch(() => null);
    if (!folder) continue;
    if (Buffer.byteLength(folder) <= longestFolder) {
      if (account) await chown(folder, account.uid, account.gid);
      return folder;
    }
    await rm(folder, { recursive: true });
  }
  throw new Error('No temporary folder has room for a socket: set TMPDIR to a short path.');
}

async function clearSockets(folder: string | null | undefined): Promise<void> {
  if (!folder || !basename(folder).startsWith(socketPrefix)) return;
  await rm(folder, { recursive: true, force: true });
}

async function untilReady(server: Server, sockets: string): Promise<void> {
  const giveUp = new AbortController();
  const ended = server.ended.then((reason) => {
    throw new Error(reason);
  });
  try {
    const ready = await Promise.race([isReady(sockets, database, giveUp.signal), ended]);
    if (!ready) throw new Error('PostgreSQL did not become ready in time.');
  } finally {
    giveUp.abort();
    ended.catch(() => {});
  }
}

async function stopServer(server: Server): Promise<void> {
  server.signal('SIGINT');
  const patience = new AbortController();
  const isLate = delay(stopLimit, true, { signal: patience.signal }).catch(() => false);
  const ended = server.ended.then(() => false);
  if (await Promise.race([ended, isLate])) server.signal('SIGQUIT');
  await ended;
  patience.abort();
}
