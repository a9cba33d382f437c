import { PrismaPg } from '@prisma/adapter-pg';
import type { Database } from '../../prisma/client.ts';
import { PrismaClient } from '../../prisma/generated/client/client.ts';

export interface Query {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export interface CountedDatabase {
  readonly db: Database;
  /** Runs `work` and gives the statements it executed. */
  readonly queriesOf: (work: () => Promise<unknown>) => Promise<readonly Query[]>;
}

/** The database at `url`, with all statements recorded. */
export function countedDatabase(url: string): CountedDatabase {
  const adapter = new PrismaPg({ connectionString: url, max: 2 });
  const db = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  const queries: Query[] = [];
  db.$on('query', ({ query, params }) =>
    queries.push({ sql: query, values: JSON.parse(params) as unknown[] }),
  );
  return {
    db,
    queriesOf: async (work) => {
      queries.length = 0;
      await work();
      return [...queries];
    },
  };
}
