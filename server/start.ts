import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import type { Database } from '../prisma/client.ts';
import { recordDeadLetter } from '../schema/dead-letters/record.ts';
import { ObjectsUnavailable } from '../schema/kernel/outage.ts';
import { rememberValues } from '../schema/listing/remembered.ts';
import { ensureRunnersToken } from '../schema/runners/registration-token.ts';
import { createCredentials } from './accounts/credentials.ts';
import { ldapDirectory } from './accounts/directory.ts';
import { createFirstAdministrator, printPassword } from './accounts/first-administrator.ts';
import { openSessions } from './accounts/open-sessions.ts';
import { unlockSecrets } from './accounts/secret-key.ts';
import { loadSettings, sessionLifetimeOf } from './accounts/settings.ts';
import { signInLimits } from './accounts/sign-in-limits.ts';
import { createApp } from './app.ts';
import { watchCaches } from './cache-repairs.ts';
import { listenToChanges } from './changes.ts';
import type { PrimaryLink } from './cluster/worker.ts';
import type { Config } from './config.ts';
import { openDatabase, startDatabase } from './database.ts';
import { metricsOfProcess } from './gauges.ts';
import { requireGit } from './git/process/requirements.ts';
import { startHeartbeat } from './git/process/server-heartbeat.ts';
import { importRemotes } from './git/repositories/import.ts';
import { defaultMaxPushBytes } from './git-http/git-http.ts';
import { installHooks } from './git-http/hooks.ts';
import { helperReports } from './helpers/failures.ts';
import { closeServer } from './http/close-server.ts';
import { createHttpServer, httpLimits, listen } from './http/http-server.ts';
import { consentReviews } from './jobs/consent-reviews.ts';
import { queueErrorLog } from './jobs/error-log.ts';
import { jobHandlers } from './jobs/handlers.ts';
import { jobNews, runnerWaits } from './jobs/job-news.ts';
import { settleLedger } from './jobs/ledger.ts';
import { openQueue } from './jobs/queue.ts';
import { runnerCache } from './jobs/runner-cache.ts';
import { startWatchers } from './jobs/watchers.ts';
import type { Limits } from './limits.ts';
import type { Logger } from './log.ts';
import { watchObjects } from './object-moves/watch.ts';
import { countAttempts } from './outgoing/count-attempts.ts';
import { hookSender } from './outgoing/hook-sender.ts';
import { passwordsInTurn } from './password-turns.ts';
import { closeFolders } from './private-folders.ts';
import { openRepositories, sweepLocks } from './repositories.ts';
import { setLongestWait } from './scheduling/shares.ts';
import { settlement } from './settlement.ts';
import { shellRunner } from './shell-runner/supervise.ts';
import { startSsh } from './ssh/start.ts';
import { requireFileSystems } from './storages/file-system.ts';
import { storagePlacement } from './storages/placement.ts';
import { openStoredFiles } from './stored-files.ts';
import { subscriptionLimits } from './subscriptions/open-streams.ts';
import { startSubscriptions } from './subscriptions/start.ts';
import { loadTelemetry } from './telemetry/load.ts';
import type { Telemetry } from './telemetry/start.ts';
import { type Undo, unwind } from './undo.ts';
import { workerPool } from './workers/worker-pool.ts';

export type { Limits } from './limits.ts';

export interface RunningServer {
  /** The port it listens on, e.g. 8080. */
  readonly port: number;
  /**
   * Reports that it is not ready and continues to serve for `drain` milliseconds, so that load balancers
   * notice; then gives running requests `patience` milliseconds to finish, and ends everything.
   */
  stop(patience: number, drain?: number): Promise<void>;
}

export interface StartOptions {
  /** Called when a part that the server cannot run without ends by itself. */
  readonly onFatal: (reason: string) => void;
  /** Variables that the runner beside the server inherits; empty by default. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly limits?: Limits;
  /** In a worker process: the link to the process that started it. */
  readonly worker?: PrimaryLink | null;
  /** Whether this process does the periodic work and starts the runner; true by default. */
  readonly isLeader?: boolean;
}

/** The whole service: database, queue, repositories, HTTP. Listens when this resolves. */
export async function startServer(
  config: Config,
  log: Logger,
  options: StartOptions,
): Promise<RunningServer> {
  const { onFatal, limits = {} } = options;
  const undo: Undo[] = [];
  try {
    const telemetry = await loadTelemetry(config.telemetry, log, undo);
    await requireGit();
    await closeFolders(config, log);
    await requireFileSystems(config);
    const url = await startDatabase(config, log, { onFatal, undo });
    const { poolerUrl } = config;
    const db = await openDatabase(url, log, { poolerUrl, undo, limits: limits.database });
    return await serve(config, log, { ...options, limits, db, url, undo, telemetry });
  } catch (error) {
    await unwind(undo, log);
    throw error;
  }
}

interface Started extends StartOptions {
  readonly limits: Limits;
  readonly db: Database;
  readonly url: string;
  readonly undo: Undo[];
  readonly telemetry: Telemetry | null;
}

async function serve(
  config: Config,
  log: Logger,
  { environment = {}, limits: times, worker, isLeader = true, db, url, undo, telemetry }: Started,
): Promise<RunningServer> {
  rememberValues(db, times.remembered);
  worker?.watchPrimary(helperReports(log), times.helpers);
  const secrets = await unlockSecrets(config.dataFolder, db);
  const settings = await loadSettings(db);
  setLongestWait(times.heavyWork?.waitMs);
  const passwords = passwordsInTurn();
  const directory = config.directory && ldapDirectory(config.directory, log);
  // a changed setting applies from the next start (specification, Application settings)
  const sessionLifetime = sessionLifetimeOf(settings.current);
  const limits = signInLimits(db);
  const credentials = createCredentials(
    { db, directory, secrets, passwords, settings, signInLimits: limits, sessionLifetime },
    worker?.userChanges ?? null,
  );
  const runners = runnerCache(secrets);
  const news = jobNews(undefined, { ...runnerWaits, ...times.runnerWaits });
  const sessions = openSessions(times.subscriptions?.checkMs ?? subscriptionLimits.checkMs);
  undo.push(() => sessions.stop());
  const subscriptions = startSubscriptions(db, log, sessions, times.subscriptions);
  undo.push(() => subscriptions.stop());
  const consents = isLeader ? consentReviews(db, log) : null;
  undo.push(() => consents?.stop());
  const remembered = { credentials, settings, runners, news, consents, subscriptions };
  const notices = await listenToChanges(url, { ...remembered, sessions, log });
  undo.push(() => notices.close());

  const { storages, allowsLocalRequests, baseUrl, sshUrl, auditDays, trustedProxies } = config;
  const git = openRepositories(config, log, times);
  undo.push(() => git.close());
  const workers = workerPool({ log });
  undo.push(() => workers.close());
  const queue = await openQueue(url, {
    onError: queueErrorLog(log),
    deadAfter: times.database?.deadAfter,
    onFailure: (kind, error) => log.warn({ err: error, kind }, 'job failed'),
  });
  const registry = new Registry();
  undo.push(() => queue.stop(), watchCaches({ db, jobs: queue, storages, registry }, log));
  const stored = await openStoredFiles(config, { db, registry, log, undo });
  const remotes = importRemotes(allowsLocalRequests);
  const sender = countAttempts(hookSender(allowsLocalRequests), registry);
  const outside = { git, ...stored.files, remotes, hookSender: sender, jobs: queue, workers };
  const parts = { db, secrets, settings, passwords, baseUrl, sshUrl, ...outside };
  const hooks = await installHooks(join(config.dataFolder, 'hooks'));
  const settling = settlement({ db, storages, ...stored }, log, times.settlement);
  undo.push(() => settling.stop());
  await settling.now().catch((error: unknown) => {
    // without the object store everything else works; the next round settles its files
    if (!(error instanceof ObjectsUnavailable)) throw error;
    log.error({ err: error }, 'settlement');
  });
  const ledger = settleLedger(parts, log);
  await ledger.now();
  undo.push(() => ledger.stop());
  await queue.work(jobHandlers(parts), {
    db,
    onDeadJob: async (job) => {
      if (await recordDeadLetter(job, parts)) log.error({ ...job }, 'background job given up');
    },
  });
  const watchers = isLeader ? startWatchers(parts, { directory, auditDays }, log) : [];
  const archiving = { url, db, places: stored.places, incoming: stored.artifacts.incoming };
  const archivers = isLeader ? watchObjects(archiving, log) : [];
  for (const watcher of [...watchers, ...archivers]) undo.push(() => watcher.stop());

  const root = await createFirstAdministrator(parts, config);
  await ensureRunnersToken(parts);
  const runnerOptions = { config, environment, limits: times.helpers };
  const startRunner =
    isLeader &&
    config.hasRunner &&
    (await shellRunner(runnerOptions, { ...parts, signInLimits: limits }, log));
  let isAccepting = true;
  const clientLimits = { ...httpLimits, ...times.http };
  const { app, shared } = createApp({
    ...parts,
    streamLimits: clientLimits.streams,
    memoryMarks: times.memory,
    incoming: stored.uploads.incoming,
    incomingLfs: stored.lfs.incoming,
    jobNews: news,
    ...subscriptions,
    sessions,
    runnerCache: runners,
    queue,
    credentials,
    signInLimits: limits,
    sessionLifetime,
    directory,
    hooks,
    registry,
    worker,
    freeLocks: git.locks.free,
    decisionLimit: times.pushRules,
    log,
    storages: config.storages,
    placement: await storagePlacement(config.storages, config.storageWeights),
    basePath: config.basePath,
    trustedProxies,
    isAccepting: () => isAccepting,
  });
  telemetry?.exportMetrics([registry, metricsOfProcess()]);
  const server = createHttpServer(app.callback(), { limits: clientLimits, trustedProxies, log });
  const isShared = Boolean(worker);
  const port = await listen(server, { ...config, isShared });
  const served = { ...shared, identities: credentials, sessions, storages, hooks, registry, log };
  const ssh = await startSsh(config, {
    ...{ ...served, isShared, helpers: times.helpers, freeLocks: git.locks.free },
    ...{ maxPushBytes: defaultMaxPushBytes, decisionLimit: times.pushRules },
    limits: { stall: clientLimits.stall, ...times.ssh },
  });
  undo.push(() => ssh?.stop(0));
  undo.push(await startHeartbeat(storages), sweepLocks(git, log));
  const runner = startRunner ? startRunner(port) : null;
  if (root?.password) printPassword(root.password);
  return {
    port,
    stop: async (patience, drain = 0) => {
      isAccepting = false;
      // before the rest, so that its jobs can still report their results
      await Promise.all([runner?.stop(), delay(drain)]);
      news.stop();
      subscriptions.stop();
      await Promise.all([closeServer(server, patience), ssh?.stop(patience)]);
      await unwind(undo, log);
    },
  };
}
