import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { connect, type Database } from '../prisma/client.ts';
import { type EmbeddedDatabase, startEmbedded } from '../prisma/embedded.ts';
import { applyMigrations } from '../prisma/migrate.ts';
import { expireArtifacts } from '../schema/jobs/sweep-files.ts';
import { settleMerges } from '../schema/merge-requests/after.ts';
import { isKept } from '../schema/projects/avatar.ts';
import { keptArtifactsSize } from '../schema/runner-jobs/artifacts.ts';
import { failSilentJobs } from '../schema/runner-jobs/silent-jobs.ts';
import { unheardJobs } from '../schema/runner-jobs/unheard-jobs.ts';
import { ensureRunnersToken } from '../schema/runners/registration-token.ts';
import { checkDirectoryPeople } from '../schema/sessions/directory.ts';
import { settleEntry } from '../schema/wikis/settle.ts';
import { createCredentials } from './accounts/credentials.ts';
import { ldapDirectory } from './accounts/directory.ts';
import { createFirstAdministrator } from './accounts/first-administrator.ts';
import { argon2Passwords } from './accounts/passwords.ts';
import { unlockSecrets } from './accounts/secret-key.ts';
import { loadSettings } from './accounts/settings.ts';
import { signInLimits } from './accounts/sign-in-limits.ts';
import { createApp } from './app.ts';
import { listenToChanges } from './changes.ts';
import type { Config } from './config.ts';
import { settleCreations } from './git/creation.ts';
import { importRemotes } from './git/import.ts';
import { requireGit } from './git/requirements.ts';
import { gitStore } from './git/store.ts';
import { installHooks } from './git-http/hooks.ts';
import { closeServer } from './http/close-server.ts';
import { jobFiles } from './job-files/job-files.ts';
import { jobFolders } from './job-files/place.ts';
import { settleArtifacts } from './job-files/settle.ts';
import { watchArtifacts } from './jobs/artifacts.ts';
import { watchDirectory } from './jobs/directory.ts';
import { jobHandlers } from './jobs/handlers.ts';
import { jobNews } from './jobs/job-news.ts';
import { knownRunners } from './jobs/known-runners.ts';
import { settleLedger } from './jobs/ledger.ts';
import { settleLockedMerges } from './jobs/merges.ts';
import { openQueue } from './jobs/queue.ts';
import { watchSilentJobs } from './jobs/silent-jobs.ts';
import type { Logger } from './log.ts';
import { hookSender } from './outgoing/hook-sender.ts';
import { shellRunner } from './shell-runner/supervise.ts';
import { incomingFiles } from './uploads/incoming.ts';
import { settleUploads } from './uploads/settle.ts';
import { uploadStore } from './uploads/store.ts';

export interface RunningServer {
  /** Where it listens, e.g. 8080. */
  readonly port: number;
  /** Lets running requests finish for so many milliseconds, then ends everything. */
  stop(patience: number): Promise<void>;
}

export interface StartOptions {
  /** Told when something ended by itself that nothing goes without. */
  readonly onFatal: (reason: string) => void;
}

/** Undone in reverse order at a stop, or when the start fails half-way. */
type Undo = () => Promise<unknown> | unknown;

/** The whole service: database, queue, repositories, HTTP. Listens when this resolves. */
export async function startServer(
  config: Config,
  log: Logger,
  { onFatal }: StartOptions,
): Promise<RunningServer> {
  const undo: Undo[] = [];
  const unwind = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) {
      await Promise.resolve(step()).catch((error: unknown) =>
        log.error({ err: error }, 'stopping'),
      );
    }
  };
  try {
    await requireGit();
    await mkdir(config.dataFolder, { recursive: true });
    const url = config.databaseUrl ?? (await ownDatabase(config, log, onFatal, undo));
    await applyMigrations(url);
    const db = connect(url, {
      onError: (error) => log.warn({ err: error }, 'database connection'),
    });
    undo.push(() => db.$disconnect());
    return await serve(config, log, { db, url, undo, unwind });
  } catch (error) {
    await unwind();
    throw error;
  }
}

async function ownDatabase(
  config: Config,
  log: Logger,
  onFatal: StartOptions['onFatal'],
  undo: Undo[],
): Promise<string> {
  const database: EmbeddedDatabase = await startEmbedded({
    folder: join(config.dataFolder, 'postgres'),
    log: (line) => log.debug({ line }, 'postgres'),
  });
  undo.push(() => database.stop());
  database.onExit((reason) => onFatal(`the embedded database ended: ${reason}`));
  return database.url;
}

interface Started {
  readonly db: Database;
  readonly url: string;
  readonly undo: Undo[];
  readonly unwind: () => Promise<void>;
}

async function serve(
  config: Config,
  log: Logger,
  { db, url, undo, unwind }: Started,
): Promise<RunningServer> {
  const secrets = await unlockSecrets(config.dataFolder, db);
  const settings = await loadSettings(db);
  const passwords = argon2Passwords();
  const directory = config.directory && ldapDirectory(config.directory, log);
  // a change of the setting counts from the next start on (specification, Application settings)
  const sessionLifetime = lifetimeOf(settings.current.sessionExpireDelay);
  const limits = signInLimits(db);
  const credentials = createCredentials({
    db,
    directory,
    secrets,
    passwords,
    settings,
    signInLimits: limits,
    sessionLifetime,
  });
  const runners = knownRunners(secrets);
  const news = jobNews();
  const notices = await listenToChanges(url, { credentials, settings, runners, news, log });
  undo.push(() => notices.close());

  const { storages, allowsLocalRequests } = config;
  const git = gitStore({ storages, allowsLocalRequests });
  undo.push(() => git.close());
  const queue = await openQueue(url, {
    onError: (error) => log.error({ err: error }, 'queue'),
    onFailure: (kind, error) => log.warn({ err: error, kind }, 'job failed'),
  });
  undo.push(() => queue.stop());
  const uploadsRoot = join(config.dataFolder, 'uploads');
  const incoming = incomingFiles(uploadsRoot);
  undo.push(() => incoming.close());
  const uploads = uploadStore(uploadsRoot, incoming);
  const folders = jobFolders(config.dataFolder);
  const keeping = incomingFiles(folders.artifacts);
  undo.push(() => keeping.close());
  const remotes = importRemotes(allowsLocalRequests);
  const sender = hookSender(allowsLocalRequests);
  const { baseUrl } = config;
  const files = { uploads, jobFiles: jobFiles(folders, keeping) };
  const outside = { git, ...files, remotes, hookSender: sender, jobs: queue };
  const parts = { db, secrets, settings, passwords, baseUrl, ...outside };
  const hooks = await installHooks(join(config.dataFolder, 'hooks'));
  await settleCreations(config.storages, async (diskPath) => isKnown(db, diskPath), aMinuteAgo());
  await settleUploads(uploadsRoot, (owner, key) => isKept(owner, key, { db }), anHourAgo());
  await settleArtifacts(folders, (job) => keptArtifactsSize(job, { db }), anHourAgo());
  const ledger = settleLedger(db, (id, isOver) => settleEntry(id, parts, isOver), log);
  await ledger.now();
  undo.push(() => ledger.stop());
  const merges = settleLockedMerges(() => settleMerges(parts), log);
  undo.push(() => merges.stop());
  await queue.work(jobHandlers(parts));
  const expiry = watchArtifacts(() => expireArtifacts(parts), log);
  undo.push(() => expiry.stop());
  if (directory) {
    const people = watchDirectory(() => checkDirectoryPeople(directory, { db }), log);
    undo.push(() => people.stop());
  }

  const silent = watchSilentJobs([unheardJobs(parts), () => failSilentJobs(parts)], log);
  undo.push(() => silent.stop());

  const root = await createFirstAdministrator(parts, config);
  await ensureRunnersToken(parts);
  const environment = process.env;
  const startRunner = config.hasRunner
    ? await shellRunner({ config, environment }, parts, log)
    : null;
  let isAccepting = true;
  const app = createApp({
    ...parts,
    incoming,
    jobNews: news,
    knownRunners: runners,
    queue,
    credentials,
    signInLimits: limits,
    sessionLifetime,
    directory,
    hooks,
    log,
    storages: config.storages,
    basePath: config.basePath,
    trustedProxies: config.trustedProxies,
    isAccepting: () => isAccepting,
  });
  const server = createServer(app.callback());
  // a pack of gigabytes takes longer than Node's five minutes; headers have a limit of their own
  server.requestTimeout = 0;
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  log.info({ url: config.baseUrl, host: config.host, port }, 'ready');
  const runner = startRunner?.(port);
  if (root?.password) tellPassword(root.password);
  return {
    port,
    stop: async (patience) => {
      // its jobs tell how they ended while somebody listens
      await runner?.stop();
      isAccepting = false;
      news.stop();
      await closeServer(server, patience);
      await unwind();
    },
  };
}

/** Not through the log: it is shown once, to whoever started the server, and kept nowhere. */
const tellPassword = (password: string) =>
  process.stderr.write(`\nThe first administrator is root, with the password ${password}\n\n`);

const isKnown = async (db: Database, diskPath: string): Promise<boolean> =>
  (await db.project.count({ where: { diskPath } })) > 0;

const aMinute = 60_000;
const aYear = 365 * 24 * 60 * aMinute;

/** Of a browser's session, milliseconds; a delay of nothing is none: as long as makes no difference. */
const lifetimeOf = (delay: number) => (delay === 0 ? aYear : delay * aMinute);

const aMinuteAgo = () => new Date(Date.now() - 60_000);

const anHourAgo = () => new Date(Date.now() - 3_600_000);
