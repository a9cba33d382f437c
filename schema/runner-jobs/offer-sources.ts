import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { CiJob } from '../ci-config/ci-file.ts';
import { earlierJobs, type SealedJob } from './earlier-jobs.ts';
import { type SealedSecret, sealedSecrets } from './secrets.ts';
import type { VariableSources } from './variables.ts';

/** The data of a job from which its offer is built. */
export interface OfferSources {
  readonly id: number;
  readonly definition: CiJob;
  readonly environmentSlug?: string;
  readonly project: Omit<VariableSources['project'], 'url'> & {
    readonly name: string;
    readonly ciConfigPath: string | null;
    /** Seconds. */
    readonly buildTimeout: number;
  };
  readonly pipeline: Omit<VariableSources['pipeline'], 'isTriggered'> & {
    readonly variablesSealed: string | null;
  };
  readonly user: (NonNullable<VariableSources['user']> & { readonly state: string }) | null;
  readonly secrets: readonly SealedSecret[];
  readonly earlier: readonly SealedJob[];
}

/** The columns of the job's row that `offerSources` reads. */
export const offeredColumns: Prisma.Sql = Prisma.sql`
  id, project_id, pipeline_id, stage_index, is_protected, user_id, definition`;

/** Reads the rows `job` as one JSON text each: separate columns would cost more than the lookup. */
export const offerSources: Prisma.Sql = Prisma.sql`
  SELECT json_build_object(
    'id', job.id, 'definition', job.definition,
    'project', json_build_object('id', project.id, 'name', project.name, 'path', project.path,
      'fullPath', project.full_path, 'ciConfigPath', project.ci_config_path,
      'visibility', project.visibility, 'buildTimeout', project.build_timeout),
    'pipeline', json_build_object('id', pipeline.id, 'ref', pipeline.ref,
      'isTag', pipeline.is_tag, 'sha', pipeline.sha, 'beforeSha', pipeline.before_sha,
      'source', pipeline.source, 'variablesSealed', pipeline.variables_sealed,
      'commitMessage', pipeline.commit_message),
    'user', (SELECT json_build_object('id', id, 'email', email, 'username', username, 'name', name,
        'state', state)
      FROM users WHERE users.id = job.user_id),
    'secrets', ${sealedSecrets}, 'earlier', ${earlierJobs}
  )::text AS sources
  FROM job
  JOIN projects project ON project.id = job.project_id
  JOIN pipelines pipeline ON pipeline.id = job.pipeline_id`;

/** Runs a statement that ends with `offerSources`; null when it returns no row. */
export async function readSources(
  db: Pick<Transaction, '$queryRaw'>,
  statement: Prisma.Sql,
): Promise<OfferSources | null> {
  const [row] = await db.$queryRaw<{ sources: string }[]>(statement);
  return row ? (JSON.parse(row.sources) as OfferSources) : null;
}

/** The same for the job `id`; null when it is not pending. */
export const readWaiting = (
  db: Pick<Transaction, '$queryRaw'>,
  id: number,
): Promise<OfferSources | null> =>
  readSources(
    db,
    Prisma.sql`
      WITH job AS (SELECT ${offeredColumns} FROM jobs WHERE id = ${id} AND status = 'pending')
      ${offerSources}`,
  );
