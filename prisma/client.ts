import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import {
  type Identity,
  type OauthApplication,
  Prisma,
  PrismaClient,
  type Project,
  type User,
} from './generated/client/client.ts';
import { watchedPool } from './watched-client.ts';

export type { Identity, OauthApplication, Project, User };
export { Prisma };

/** The database inside a transaction, or outside of one. */
export type Transaction = Prisma.TransactionClient;

/** What the core runs its queries on. */
export type Database = PrismaClient;

export interface ConnectOptions {
  /** Connections this process may hold; several processes share the server's limit. */
  readonly poolSize?: number;
  /** Milliseconds a query may wait for a free connection. */
  readonly waitLimit?: number;
  /** Milliseconds one statement may take before the database ends it. */
  readonly statementLimit?: number;
  /** Milliseconds after which a connection without an answer counts as dead; longer than a statement. */
  readonly answerLimit?: number;
  /** Told of a connection that broke while idle; the pool replaces it by itself. */
  readonly onError?: (error: Error) => void;
}

/** The database at `url`, a TCP address or a Unix socket (`postgresql://user@/name?host=/folder`). */
export function connect(url: string, options: ConnectOptions = {}): Database {
  const { poolSize = 20, waitLimit = 10_000, statementLimit = 30_000 } = options;
  const { answerLimit = statementLimit + 5_000 } = options;
  const onError = options.onError ?? (() => {});
  const adapter = new PrismaPg(
    watchedPool({
      connectionString: url,
      application_name: 'millrace',
      max: poolSize,
      connectionTimeoutMillis: waitLimit,
      idleTimeoutMillis: 60_000,
      statement_timeout: statementLimit,
      // a process that stalls inside a transaction must not keep its locks for ever
      idle_in_transaction_session_timeout: statementLimit,
      answerLimit,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
    }),
    {
      disposeExternalPool: true,
      onPoolError: onError,
      onConnectionError: onError,
      statementNameGenerator: nameStatements(),
    },
  );
  return new PrismaClient({
    adapter,
    transactionOptions: { maxWait: waitLimit, timeout: statementLimit },
  });
}

/** A connection keeps each plan until it ends, and lists of ids of every length come along. */
const mostStatements = 300;

/** Names the statements seen first, so that a connection parses and plans them only once. */
function nameStatements() {
  const names = new Map<string, string>();
  return ({ sql }: { readonly sql: string }): string => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    // a plan for any pattern cannot know which index the pattern at hand would be found by
    if (names.size >= mostStatements || sql.includes('ILIKE')) return '';
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}

export type Session = pg.Client;

export interface SessionOptions {
  /** Milliseconds until an attempt to connect is given up. */
  readonly connectLimit?: number;
  /** Milliseconds until a statement without an answer counts as failed; none when left out. */
  readonly answerLimit?: number;
}

/** One connection outside the pool, for what belongs to a session: LISTEN, advisory locks. */
export async function openSession(url: string, options: SessionOptions = {}): Promise<Session> {
  const session = new pg.Client({
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

/** What the schema engine runs migrations through. */
export function migrationAdapter(url: string): PrismaPg {
  return new PrismaPg({ connectionString: url, application_name: 'millrace migration', max: 1 });
}
