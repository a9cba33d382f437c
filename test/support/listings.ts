import { routes } from '../../rest-facade/index.ts';
import { createExecute, type Viewer } from '../../schema/client/execute.ts';
import { schema } from '../../schema/index.ts';
import type { Context } from '../../schema/kernel/context.ts';
import type { GitStore } from '../../schema/ports/git/store.ts';
import { secretsOf } from '../../server/accounts/secrets.ts';
import { countedDatabase, type Query } from './queries.ts';

export interface Listed {
  readonly rows: readonly unknown[];
  /** What the database was asked for it. */
  readonly queries: readonly Query[];
}

/** Asks listings as the REST facade does, beside the server, so that their queries can be looked at. */
export interface Listings {
  /** A page of `path`; `params` are as the route reads them. */
  readonly ask: (path: string, viewer: Viewer | null, params: object) => Promise<Listed>;
  readonly close: () => Promise<void>;
}

const url = 'http://localhost';

/** What they are read with: values that are shown must have been sealed by these. */
export const secrets = secretsOf(Buffer.alloc(32));

/** The paths of all listings there are. */
export const listingPaths = routes
  .filter(({ operation }) => operation.page)
  .map(({ path }) => path);

/** Listings on the database at `databaseUrl`; those that look into repositories need `git`. */
export function listingsOn(databaseUrl: string, git: GitStore): Listings {
  const { db, queriesOf } = countedDatabase(databaseUrl);
  const execute = createExecute(
    schema,
    (viewer) =>
      ({
        viewer,
        db,
        git,
        secrets,
        request: { id: '', address: '' },
        baseUrl: url,
        settings: { current: { avatarServiceEnabled: true } },
      }) as unknown as Context,
  );
  return {
    ask: async (path, viewer, params) => {
      const route = routes.find((known) => known.method === 'get' && known.path === path);
      if (!route?.operation.page) throw new Error(`${path} is no listing`);
      const { document, variables, reshape } = route.operation;
      const all = { page: 1, perPage: 20, ...params };
      let rows: unknown;
      const queries = await queriesOf(async () => {
        const data = await execute(document, variables(all, viewer), viewer);
        rows = reshape?.(data, all, { url, viewer });
      });
      return { rows: rows as unknown[], queries };
    },
    close: () => db.$disconnect(),
  };
}
