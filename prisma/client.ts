import { PrismaPg } from '@prisma/adapter-pg';
import { ClosingClient } from './closing-client.ts';
import {
  type AutomaticMerge,
  type Identity,
  type Milestone,
  type OauthApplication,
  type OauthSigningKey,
  Prisma,
  PrismaClient,
  type Project,
  type ProtectedBranch,
  type ProtectedTag,
  type Release,
  type ReleaseDetails,
  type ReleaseLink,
  type ReleaseLinkType,
  type User,
} from './generated/client/client.ts';
import type { WatchStatement } from './watched-client.ts';
import { type WatchedPool, watchedPool } from './watched-pool.ts';

export type {
  AutomaticMerge,
  Identity,
  Milestone,
  OauthApplication,
  OauthSigningKey,
  Project,
  ProtectedBranch,
  ProtectedTag,
  Release,
  ReleaseDetails,
  ReleaseLink,
  ReleaseLinkType,
  User,
};
export { Prisma };

/** The database, inside or outside a transaction. */
export type Transaction = Prisma.TransactionClient;

/** The client that the core uses. */
export type Database = PrismaClient;

export interface ConnectOptions {
  /** Maximum connections of this process; several processes share the server's limit. */
  readonly poolSize?: number;
  /**
   * Whether the URL is that of a pooler in transaction mode, such as PgBouncer, which gives each
   * transaction any of its connections: nothing may stay behind on one, neither settings nor named statements.
   */
  readonly isPooler?: boolean;
  /** Milliseconds a query may wait for a free connection. */
  readonly waitLimit?: number;
  /** Milliseconds after which the database cancels a statement. */
  readonly statementLimit?: number;
  /** Milliseconds after which a connection without a response counts as dead; longer than a statement. */
  readonly answerLimit?: number;
  /**
   * Milliseconds without a response after which the server is asked whether it executes the statement; otherwise
   * the connection is dead.
   */
  readonly deadAfter?: number;
  /** Called with the text of each statement, to trace it. */
  readonly watchStatement?: WatchStatement | undefined;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onError?: (error: Error) => void;
}

/** The database at `url`, a TCP address or a Unix socket (`postgresql://user@/name?host=/folder`). */
export function connect(url: string, options: ConnectOptions = {}): Database {
  const { poolSize = 20, waitLimit = 10_000, statementLimit = 30_000 } = options;
  const { isPooler = false } = options;
  const { answerLimit = statementLimit + 5_000 } = options;
  const { deadAfter = usualDeadAfter, onError = () => {} } = options;
  const watched = watchedPool({
    connectionString: url,
    application_name: 'millrace',
    max: poolSize,
    // inside a transaction Prisma reads several relations at the same time on one connection
    pipeline: true,
    connectionTimeoutMillis: waitLimit,
    idleTimeoutMillis: 60_000,
    ...(!isPooler && {
      statement_timeout: statementLimit,
      // a process that stalls inside a transaction must not keep its locks for ever
      idle_in_transaction_session_timeout: statementLimit,
    }),
    answerLimit,
    // a pooler has connections of its own to the server
    deadAfter: isPooler ? null : deadAfter,
    stuckAfter: deadAfter,
    watchStatement: options.watchStatement,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  const adapter = new PrismaPg(watched.pool, {
    disposeExternalPool: true,
    onPoolError: onError,
    onConnectionError: onError,
    ...(!isPooler && { statementNameGenerator: nameStatements() }),
  });
  const database = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: waitLimit, timeout: statementLimit },
  });
  pools.set(database, { size: poolSize, ...watched });
  return database;
}

/** Milliseconds; longer than almost every statement, and much shorter than the limit of one. */
export const usualDeadAfter = 10_000;

const pools = new WeakMap<Database, WatchedPool & { readonly size: number }>();

/** Whether the database answers when it should commit; true before the first COMMIT. */
export function isCommitting(database: Database): boolean {
  const isStuck = pools.get(database)?.commits.isStuck() ?? false;
  // a server that gets no requests until it is ready would try no COMMIT
  if (isStuck) void commitNothing(database);
  return !isStuck;
}

/** A COMMIT that waits like any other, as the message is in the log of the database. */
const commitNothing = (database: Database): Promise<unknown> =>
  database
    .$transaction((tx) => tx.$executeRaw`SELECT pg_logical_emit_message(true, 'millrace', '')`)
    .catch(() => null);

export interface PoolUse {
  /** Maximum connections. */
  readonly size: number;
  /** Open connections, with a caller and without. */
  readonly busy: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** How the connections of this process are used now; all 0 for a database that `connect` did not open. */
export function poolUse(database: Database): PoolUse {
  const watched = pools.get(database);
  if (!watched) return { size: 0, busy: 0, idle: 0, waiting: 0 };
  const { size, waiting } = watched;
  const { totalCount, idleCount } = watched.pool;
  return { size, busy: totalCount - idleCount, idle: idleCount, waiting: waiting() };
}

/** A connection keeps each plan until it closes, and lists of ids occur with every length: bound the number. */
const maxStatements = 300;

/**
 * Marks a statement whose best plan depends on its values, such as the ids of projects with very few
 * or very many rows: PostgreSQL might replace its plans with one for any values.
 */
export const plannedEachTime: Prisma.Sql = Prisma.raw('-- planned each time\n');

/** Names the statements seen first, so that a connection parses and plans them only once. */
function nameStatements() {
  const names = new Map<string, string>();
  return ({ sql }: { readonly sql: string }): string => {
    const existing = names.get(sql);
    if (existing !== undefined) return existing;
    // a generic plan cannot know which index suits the actual pattern
    const isPlannedEachTime = sql.includes('ILIKE') || sql.includes(plannedEachTime.sql);
    if (names.size >= maxStatements || isPlannedEachTime) return '';
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}

export type Session = ClosingClient;

export interface SessionOptions {
  /** Connection timeout in milliseconds. */
  readonly connectLimit?: number;
  /** Milliseconds after which a statement without a response fails; default none. */
  readonly answerLimit?: number;
}

/** A connection outside the pool, for session state: LISTEN, advisory locks. */
export async function openSession(url: string, options: SessionOptions = {}): Promise<Session> {
  const session = new ClosingClient({
    connectionString: url,
    application_name: 'millrace session',
    connectionTimeoutMillis: options.connectLimit ?? 10_000,
    ...(options.answerLimit !== undefined && { query_timeout: options.answerLimit }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  // without a listener a broken connection would end the process; its next query reports it
  session.on('error', () => {});
  await session.connect();
  return session;
}

/** The connection through which the schema engine runs migrations. */
export function migrationAdapter(url: string): PrismaPg {
  return new PrismaPg({ connectionString: url, application_name: 'millrace migration', max: 1 });
}
