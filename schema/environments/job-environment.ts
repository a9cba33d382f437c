import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { nameFaults, urlFaults } from './faults.ts';
import { storeEnvironment } from './store.ts';

interface EnvironmentPlace {
  readonly projectId: number;
  /** With its variables expanded. */
  readonly name: string;
}

/**
 * Creates the environment of a job unless it exists, and returns it; null for an invalid name, which
 * has none.
 */
export async function ensureEnvironment(
  { projectId, name }: EnvironmentPlace,
  { db }: Pick<Context, 'db'>,
): Promise<{ readonly id: number; readonly slug: string } | null> {
  if (nameFaults(name).length > 0) return null;
  const where = { projectId_name: { projectId, name } };
  const select = { id: true, slug: true } as const;
  const existing = await db.environment.findUnique({ where, select });
  if (existing) return existing;
  const created = await transact(db, (tx) => storeEnvironment(tx, { projectId, name }));
  return created ?? db.environment.findUnique({ where, select });
}

/** Records which environment a job deploys to, before its runner receives it. */
export async function recordJobEnvironment(
  jobId: number,
  { id: environmentId }: { readonly id: number },
  url: string | null,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  const shown = url !== null && urlFaults(url).length === 0 ? url : null;
  // by way of the environment: a concurrent deletion then records nothing
  await db.$executeRaw`
    INSERT INTO job_environments (job_id, environment_id, url)
    SELECT ${jobId}, id, ${shown} FROM environments WHERE id = ${environmentId}
    ON CONFLICT (job_id) DO UPDATE SET environment_id = excluded.environment_id, url = excluded.url`;
}
