import { join } from 'node:path';
import { type ConnectOptions, connect, type Database } from '../prisma/client.ts';
import { startEmbedded } from '../prisma/embedded.ts';
import { applyMigrations } from '../prisma/migrate.ts';
import { activeTracer } from '../schema/kernel/tracing.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import type { Undo } from './undo.ts';

export type DatabaseLimits = Pick<
  ConnectOptions,
  'waitLimit' | 'statementLimit' | 'answerLimit' | 'deadAfter'
>;

interface StartOptions {
  /** Called with the reason when the embedded database ended and cannot be started again. */
  readonly onFatal: (reason: string) => void;
  /** Receives the steps that close each resource. */
  readonly undo: Undo[];
}

/** Starts the embedded database unless the configuration names another, and applies all migrations; returns the URL. */
export async function startDatabase(
  config: Config,
  log: Logger,
  { onFatal, undo }: StartOptions,
): Promise<string> {
  const url = config.databaseUrl ?? (await startOwn(config, log, onFatal, undo));
  await applyMigrations(url);
  return url;
}

interface OpenOptions {
  /** A pooler before the database, if any. */
  readonly poolerUrl: string | null;
  readonly undo: Undo[];
  readonly limits?: DatabaseLimits | undefined;
}

/** Connects to the database at `url`, or to it through its pooler. */
export async function openDatabase(
  url: string,
  log: Logger,
  { poolerUrl, undo, limits = {} }: OpenOptions,
): Promise<Database> {
  const db = connect(poolerUrl ?? url, {
    ...limits,
    isPooler: poolerUrl !== null,
    watchStatement: activeTracer() ? traceStatement : undefined,
    onError: (error) => log.warn({ err: error }, 'database connection'),
  });
  undo.push(() => db.$disconnect());
  if (poolerUrl !== null && !(await hasStatementLimit(db))) {
    log.warn('MILLRACE_POOLER_URL: its connections have no statement_timeout (docs/scaling.md)');
  }
  return db;
}

/** Whether the database cancels slow statements of its connections. */
export async function hasStatementLimit(db: Database): Promise<boolean> {
  const [row] = await db.$queryRaw<{ limit: string }[]>`
    SELECT current_setting('statement_timeout') AS limit`;
  return row?.limit !== '0';
}

/** The pool, the queue and the connection that listens, with some to spare while a worker is replaced. */
const connectionsPerWorker = 30;

/** Connections of commands such as backups, and those that PostgreSQL reserves for itself. */
const connectionsBeside = 70;

const firstWord = /^(?:\s|--[^\n]*\n)*(\w+)/;

/** A span for a statement of a request or a job. Its values are parameters, and not recorded. */
function traceStatement(text: string): ((error?: unknown) => void) | null {
  const name = firstWord.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': name,
    'db.query.text': text,
  };
  return activeTracer()?.start({ name, kind: 'client', attributes })?.end ?? null;
}

async function startOwn(
  config: Config,
  log: Logger,
  onFatal: StartOptions['onFatal'],
  undo: Undo[],
): Promise<string> {
  const database = await startEmbedded({
    folder: join(config.dataFolder, 'postgres'),
    connections: connectionsBeside + config.workers * connectionsPerWorker,
    log: (line) => log.debug({ line }, 'postgres'),
    onRestart: (reason) => log.error({ reason }, 'starting the embedded database again'),
  });
  undo.push(() => database.stop());
  database.onExit((reason) => onFatal(`the embedded database ended: ${reason}`));
  return database.url;
}
