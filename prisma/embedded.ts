import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { platform } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession } from './client.ts';
import { type Account, canReach, chooseAccount } from './postgres-account.ts';
import { findBinaries } from './postgres-binaries.ts';
import { ensureCluster } from './postgres-cluster.ts';
import { acquireLock, type Lock, ownerFileIn, readOwner } from './postgres-lock.ts';
import { clusterName, stopOrphans } from './postgres-processes.ts';
import { isReady, type Server, startServer, urlOf } from './postgres-server.ts';

export interface EmbeddedOptions {
  /** A private folder for data and lock; created when absent. */
  readonly folder: string;
  /** The most connections at a time; has a default. */
  readonly connections?: number;
  /** Receives PostgreSQL's log lines. */
  readonly log: (line: string) => void;
  /** Called with the reason when PostgreSQL exits unexpectedly, before it is restarted. */
  readonly onRestart?: (reason: string) => void;
  /** Milliseconds before each restart attempt; has a default. */
  readonly pauses?: readonly number[];
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** Stops PostgreSQL, which rolls back uncommitted transactions; may be called more than once. */
  stop(): Promise<void>;
  /** Registers a listener for an unexpected exit after which restarting failed too. */
  onExit(listener: (reason: string) => void): void;
}

const database = 'millrace';
const socketPrefix = 'millrace-';

/** A fast shutdown flushes memory to disk; after this time it is aborted, and the next start recovers. */
const stopLimit = 30_000;

/** Number of restart attempts, with backoff. */
const defaultPauses = [1_000, 5_000, 15_000];

/** Milliseconds after which the count of attempts is reset. */
const ranWell = 600_000;

/** Longer paths do not fit into a Unix socket address, whose file name here has 15 bytes. */
const maxFolderLength = 107 - '/.s.PGSQL.5432'.length;

/**
 * Starts the bundled PostgreSQL on the data in `folder`, reachable over a Unix socket only. Throws
 * when another Millrace uses the folder; cleans up after a killed one.
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

/** The URL of the PostgreSQL that a running Millrace has started on `folder`; null if none runs. */
export async function runningEmbedded(folder: string): Promise<string | null> {
  const owner = readOwner(ownerFileIn(resolve(folder)));
  if (!owner?.sockets) return null;
  const url = urlOf(owner.sockets, database);
  try {
    const session = await openSession(url);
    await session.end();
    return url;
  } catch {
    // the sockets of a killed process
    return null;
  }
}

async function startLocked(
  folder: string,
  lock: Lock,
  { log, connections = 100, onRestart = () => {}, pauses = defaultPauses }: EmbeddedOptions,
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
  const place = { postgres, cluster, sockets, name, account, connections };
  const closing = new AbortController();
  let server = startServer(place, log);

  /** Restarts PostgreSQL with the same URL; null, or the reason for the failure. */
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

  /** Restarts PostgreSQL until it is stopped or the attempts are used up; returns the last reason then. */
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

/** Kills orphaned processes of an earlier run on the data. */
async function clearRemains(
  cluster: string,
  name: string,
  log: EmbeddedOptions['log'],
): Promise<void> {
  if (await stopOrphans(name)) log('stopped the PostgreSQL of a Millrace that was killed');
  // the pid in this file may have been reused
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** A folder that only the account and root can enter: this protects the database. */
async function makeSocketFolder(account: Account | null): Promise<string> {
  for (const home of [tmpdir(), '/tmp', '/var/tmp', '/run']) {
    if (account && !(await canReach(home, account).catch(() => false))) continue;
    const folder = await mkdtemp(join(home, socketPrefix)).catch(() => null);
    if (!folder) continue;
    if (Buffer.byteLength(folder) <= maxFolderLength) {
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
