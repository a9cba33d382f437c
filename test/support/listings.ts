import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, inject } from 'vitest';
import { z } from 'zod';
import { openSession } from '../../prisma/client.ts';
import { routes } from '../../rest-facade/index.ts';
import { createExecute, type Viewer } from '../../schema/client/execute.ts';
import type { Operation } from '../../schema/client/operation.ts';
import { schema } from '../../schema/index.ts';
import type { Context } from '../../schema/kernel/context.ts';
import type { GitStore } from '../../schema/ports/git/store.ts';
import { secretsOf } from '../../server/accounts/secrets.ts';
import { gitStore } from '../../server/git/store.ts';
import { workerPool } from '../../server/workers/worker-pool.ts';
import { cloneDatabase } from './database.ts';
import { temporaryFolder } from './git.ts';
import { countedDatabase, type Query } from './queries.ts';

export interface ListingResult {
  readonly rows: readonly unknown[];
  /** The SQL statements of the listing. */
  readonly queries: readonly Query[];
}

/** Runs listings as the REST facade does, without a server, so that their queries can be inspected. */
export interface Listings {
  /** A page of `path`; `params` are as a client sends them. */
  readonly list: (path: string, viewer: Viewer | null, params: object) => Promise<ListingResult>;
  /** The same with `pagination=keyset`, which counts nothing; `cursor` is a parameter. */
  readonly listByKeys: Listings['list'];
  readonly close: () => Promise<void>;
}

const url = 'http://localhost';

/** The key of these listings; stored values must be encrypted with it. */
export const secrets = secretsOf(Buffer.alloc(32));

/** The paths of all listings. */
export const listingPaths = routes
  .filter(({ operation }) => operation.total)
  .map(({ path }) => path);

function operationAt(path: string, { scope }: { readonly scope?: unknown }): Operation {
  const route = routes.find((candidate) => candidate.method === 'get' && candidate.path === path);
  if (!route?.operation.total) throw new Error(`${path} is not a listing`);
  return (route.choices?.routes.get(String(scope)) ?? route).operation;
}

/** The parameters that are given, each read by its kind. */
function parsed(schema: z.ZodType, params: object): Record<string, unknown> {
  const kinds = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, kinds[name]?.parse(value) ?? value]),
  );
}

/**
 * Listings on a migrated database of their own, with a session on it and an empty storage for
 * repositories. All are removed after the tests of the file.
 */
export async function ownListings() {
  const database = await cloneDatabase(inject('databaseUrl'));
  const session = await openSession(database.url);
  const folder = await temporaryFolder();
  const storages = new Map([['default', folder]]);
  const git = gitStore({ storages });
  const listings = listingsOn(database.url, git);
  afterAll(async () => {
    await listings.close();
    await git.close();
    await rm(folder, { recursive: true });
    await session.end();
    await database.drop();
  });
  return { databaseUrl: database.url, session, storages, git, listings };
}

/** Listings on the database at `databaseUrl`; those that read repositories need `git`. */
export function listingsOn(databaseUrl: string, git: GitStore): Listings {
  const { db, queriesOf } = countedDatabase(databaseUrl);
  const workers = workerPool({ log: pino({ level: 'silent' }) });
  const execute = createExecute(
    schema,
    (viewer) =>
      ({
        viewer,
        db,
        git,
        secrets,
        workers,
        request: { id: '', address: '' },
        baseUrl: url,
        settings: { current: { avatarServiceEnabled: true } },
      }) as unknown as Context,
  );
  const run = async (operation: Operation, viewer: Viewer | null, params: object) => {
    const { document, variables, body } = operation;
    const all = { page: 1, perPage: 20, ...parsed(operation.params, params) };
    let rows: unknown;
    const queries = await queriesOf(async () => {
      const data = await execute(document, variables(all, viewer), viewer);
      rows = body?.(data, { url, viewer }, all);
    });
    return { rows: rows as unknown[], queries };
  };
  return {
    list: (path, viewer, params) => run(operationAt(path, params), viewer, params),
    listByKeys: (path, viewer, params) => {
      const operation = operationAt(path, params).byKeys?.();
      if (!operation) throw new Error(`${path} is not read by keys`);
      return run(operation, viewer, { cursor: null, ...params });
    },
    close: async () => {
      await workers.close();
      await db.$disconnect();
    },
  };
}
