import type { Database } from '../../prisma/client.ts';
import type { JobKind } from '../../schema/ports/jobs.ts';

export interface HeldJobs {
  /** The number of jobs held back. */
  readonly count: () => Promise<number>;
  /** Runs the jobs held back, and holds no further ones. */
  readonly release: () => Promise<void>;
}

/**
 * Holds back the background jobs of a kind from now on: they are stored, and no process runs them until
 * they are released. A trigger in the database does it, so that no process can be faster.
 */
export async function holdJobs(db: Database, kind: JobKind): Promise<HeldJobs> {
  const name = `hold_${kind.replaceAll('-', '_')}`;
  await db.$executeRawUnsafe(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.start_after := 'infinity';
      RETURN NEW;
    END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER ${name} BEFORE INSERT ON pgboss.job FOR EACH ROW
    WHEN (NEW.name = '${kind}') EXECUTE FUNCTION ${name}()`);
  return {
    count: async () => {
      const [row] = await db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM pgboss.job
        WHERE name = ${kind} AND start_after = 'infinity'`;
      return row.count;
    },
    release: async () => {
      await db.$executeRawUnsafe(`DROP TRIGGER ${name} ON pgboss.job`);
      await db.$executeRawUnsafe(`DROP FUNCTION ${name}()`);
      await db.$executeRaw`
        UPDATE pgboss.job SET start_after = now() WHERE name = ${kind} AND start_after = 'infinity'`;
    },
  };
}
