import type { Session } from '../../prisma/client.ts';
import { withoutForeignKeyChecks } from './bulk-data.ts';
import { secrets } from './listings.ts';

/**
 * Adds `size` pipelines to a filled database, a tenth of them in the given project: of branches and tags, by
 * all users, in every status; a job for each, those of that project run by one runner; and triggers,
 * schedules, environments and deployments, a hundredth of them in that project.
 */
export async function addManyPipelines(
  session: Session,
  size: number,
  projectId: number,
): Promise<void> {
  const fillIn = (statement: string) =>
    statement.replaceAll('$size', String(size)).replaceAll('$project', String(projectId));
  await withoutForeignKeyChecks(
    session,
    [pipelines, jobs, triggers, schedules, environments, deployments].map(fillIn),
  );
  await session.query(
    'VACUUM ANALYZE pipelines, jobs, triggers, pipeline_schedules, environments, deployments',
  );
}

const numbered = (table: string) =>
  `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table})`;

const pipelines = `
  INSERT INTO pipelines
    (project_id, source, status, ref, is_tag, sha, before_sha, user_id, yaml_errors, stages, updated_at)
  SELECT CASE WHEN given.n % 10 = 3 THEN $project ELSE project.id END, 'push',
    (enum_range(NULL::ci_status))[1 + given.n / 10 % 8],
    CASE WHEN given.n % 30 = 3 THEN 'master' ELSE 'branch-' || given.n % 7000 END,
    given.n % 50 = 3, repeat('0', 8) || md5(given.n::text), repeat('0', 40), account.id,
    CASE WHEN given.n % 400 = 3 THEN 'job: no' END, '{test}', now()
  FROM generate_series(1, $size) given (n)
  JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31::bigint % $size
  JOIN ${numbered('users')} account ON account.n = 1 + given.n * 17::bigint % $size`;

const jobs = `
  INSERT INTO jobs
    (project_id, pipeline_id, name, stage, stage_index, status, definition, runner_id, user_id, updated_at)
  SELECT pipeline.project_id,
    CASE WHEN pipeline.n % 20 = 3 AND pipeline.project_id = $project
      THEN (SELECT max(id) FROM pipelines WHERE project_id = $project) ELSE pipeline.id END,
    'job ' || pipeline.n % 7, 'test', 0,
    CASE WHEN pipeline.n % 1000 = 3 THEN 'running' WHEN pipeline.n % 9 = 1 THEN 'failed' ELSE 'success' END::ci_status,
    '{}', runner.id, pipeline.user_id, now()
  FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM pipelines) pipeline
  LEFT JOIN ${numbered('runners')} runner ON runner.n = CASE WHEN pipeline.project_id = $project THEN 7 ELSE 8 + pipeline.n % 500 END`;

const triggers = `
  INSERT INTO triggers (project_id, owner_id, token_digest, token_sealed, updated_at)
  SELECT CASE WHEN given.n % 100 = 3 THEN $project ELSE project.id END, account.id,
    decode(md5(given.n::text), 'hex'), '${secrets.seal('token')}', now()
  FROM generate_series(1, $size) given (n)
  JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31::bigint % $size
  JOIN ${numbered('users')} account ON account.n = 1 + given.n * 17::bigint % $size`;

const schedules = `
  INSERT INTO pipeline_schedules
    (project_id, owner_id, description, ref, cron, is_active, next_run_at, updated_at)
  SELECT CASE WHEN given.n % 100 = 3 THEN $project ELSE project.id END, account.id, 'nightly',
    'master', '0 1 * * *', given.n % 2 = 1, now() + make_interval(mins => given.n % 1440), now()
  FROM generate_series(1, $size) given (n)
  JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31::bigint % $size
  JOIN ${numbered('users')} account ON account.n = 1 + given.n * 17::bigint % $size`;

const environments = `
  INSERT INTO environments (project_id, name, slug, updated_at)
  SELECT CASE WHEN given.n % 100 = 3 THEN $project ELSE project.id END, 'name ' || given.n,
    'slug-' || given.n, now()
  FROM generate_series(1, $size) given (n)
  JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31::bigint % $size`;

const deployments = `
  INSERT INTO deployments
    (project_id, iid, environment_id, ref, is_tag, sha, user_id, job_id, created_at, updated_at)
  SELECT job.project_id, job.id, environment.id, 'branch-' || job.id % 7000, false, md5(job.id::text),
    job.user_id, job.id, now() - make_interval(mins => job.id % 5000), now()
  FROM jobs job
  JOIN ${numbered('environments')} environment ON environment.n = 1 + job.id % $size`;
