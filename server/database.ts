import { join } from 'node:path';
import { type ConnectOptions, connect, type Database } from '../prisma/client.ts';
import { startEmbedded } from '../prisma/embedded.ts';
import { applyMigrations } from '../prisma/migrate.ts';
import { activeTracer } from '../schema/kernel/tracing.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';

/** Steps undone in reverse order at a shutdown, or when the start fails. */
export type Undo = () => Promise<unknown> | unknown;

export type DatabaseLimits = Pick<ConnectOptions, 'waitLimit' | 'statementLimit' | 'answerLimit'>;

interface OpenOptions {
  readonly onFatal: (reason: string) => void;
  /** Receives the steps that close each resource. */
  readonly undo: Undo[];
  readonly limits?: DatabaseLimits | undefined;
}

/** Opens the database at its URL, or the embedded one, and applies all migrations. */
export async function openDatabase(
  config: Config,
  log: Logger,
  { onFatal, undo, limits = {} }: OpenOptions,
): Promise<{ readonly db: Database; readonly url: string }> {
  const url = config.databaseUrl ?? (await startOwn(config, log, onFatal, undo));
  await applyMigrations(url);
  const db = connect(url, {
    ...limits,
    watchStatement: activeTracer() ? traceStatement : undefined,
    onError: (error) => log.warn({ err: error }, 'database connection'),
  });
  undo.push(() => db.$disconnect());
  return { db, url };
}

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
  onFatal: OpenOptions['onFatal'],
  undo: Undo[],
): Promise<string> {
  const database = await startEmbedded({
    folder: join(config.dataFolder, 'postgres'),
    log: (line) => log.debug({ line }, 'postgres'),
    onRestart: (reason) => log.error({ reason }, 'starting the embedded database again'),
  });
  undo.push(() => database.stop());
  database.onExit((reason) => onFatal(`the embedded database ended: ${reason}`));
  return database.url;
}
