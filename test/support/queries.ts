import { PrismaPg } from '@prisma/adapter-pg';
import type { Database } from '../../prisma/client.ts';
import { PrismaClient } from '../../prisma/generated/client/client.ts';

export interface CountedDatabase {
  readonly db: Database;
  /** Runs `work` and gives the SQL statements that it took. */
  readonly statementsOf: (work: () => Promise<unknown>) => Promise<readonly string[]>;
}

/** The database at `url`, each of whose statements is noted. */
export function countedDatabase(url: string): CountedDatabase {
  const adapter = new PrismaPg({ connectionString: url, max: 2 });
  const db = new PrismaClient({ adapter, log: [{ emit: 'event', level: 'query' }] });
  const statements: string[] = [];
  db.$on('query', ({ query }) => statements.push(query));
  return {
    db,
    statementsOf: async (work) => {
      statements.length = 0;
      await work();
      return [...statements];
    },
  };
}
