import type { CiJob } from '../../schema/ci-config/ci-file.ts';
import { addDeveloper, inBulk } from './fill.ts';
import { runnerInfo } from './runner-requests.ts';
import { type BenchUser, readSecrets } from './users.ts';
import type { Repository, World } from './world.ts';

/** Projects with pipelines, and shared runners, for the CI cases. */
export interface Ci {
  readonly projects: readonly Repository[];
  /** A developer of all these projects. */
  readonly developer: BenchUser;
  /** Tokens of runners that run tagged and untagged jobs. */
  readonly runners: readonly string[];
}

const projectCount = 5;
export const runnerCount = 200;

/** Five projects without pipelines, and 200 shared runners. */
export async function createCi(world: World): Promise<Ci> {
  const { service, users } = world;
  const projects: Repository[] = [];
  for (let number = 0; number < projectCount; number += 1) {
    const project = await world.project(`ci-${number}`);
    await addDeveloper(`${service.url}/api/v4/projects/${project.id}/members`, users.worker.id);
    projects.push(project);
  }
  const secrets = await readSecrets(service.dataFolder);
  const runners = Array.from({ length: runnerCount }, (_, n) => `runner-${n}`.padEnd(30, 'x'));
  await inBulk(service.databaseUrl, async (session) => {
    await session.query(insertRunners, [
      runners.map((token) => Buffer.from(secrets.digest(token))),
      runners.map((token) => secrets.seal(token)),
      runnerInfo.name,
    ]);
  });
  return { projects, developer: users.worker, runners };
}

const insertRunners = `
  INSERT INTO runners (token_digest, token_sealed, is_shared, name, tags, updated_at)
  SELECT digest, sealed, true, $3, '{linux,docker}', now()
  FROM unnest($1::bytea[], $2::text[]) created (digest, sealed)`;

/** A job definition of usual length. */
const definition: CiJob = {
  name: 'unit',
  stage: 'test',
  script: ['bundle install --path vendor', 'bundle exec rake db:setup', 'bundle exec rspec'],
  afterScript: ['rm -rf tmp/cache'],
  image: { name: 'ruby:2.4', entrypoint: null },
  services: [{ name: 'postgres:9.6', entrypoint: null, command: null, alias: null }],
  tags: ['linux'],
  when: 'on_success',
  isAllowedToFail: false,
  variables: { RAILS_ENV: 'test', POSTGRES_DB: 'unit', DEPTH: '20' },
  only: null,
  except: [],
  dependencies: null,
  artifacts: {
    name: null,
    isUntracked: false,
    paths: ['coverage/'],
    when: 'on_success',
    expireIn: '1 week',
  },
  cache: { key: 'default', isUntracked: false, paths: ['vendor/'], policy: 'pull-push' },
  environment: null,
  coverage: '\\(\\d+.\\d+%\\) covered',
  retries: 0,
};

/** Adds pipelines with so many pending jobs each to every project; gives the jobs' ids. */
export async function queueJobs(
  { service, users }: World,
  { projects }: Ci,
  { pipelines, jobs }: { readonly pipelines: number; readonly jobs: number },
): Promise<readonly number[]> {
  const ids: number[] = [];
  await inBulk(service.databaseUrl, async (session) => {
    for (const { id } of projects) {
      const { rows } = await session.query<{ id: number }>(addJobs, [
        id,
        pipelines,
        jobs,
        users.worker.id,
        JSON.stringify(definition),
      ]);
      ids.push(...rows.map((row) => row.id));
    }
    await session.query(`NOTIFY millrace_jobs`);
  });
  return ids;
}

const addJobs = `
  WITH created AS (
    INSERT INTO pipelines (project_id, source, status, ref, sha, before_sha, user_id, stages, updated_at)
    SELECT $1, 'push', 'pending', 'master', md5(n::text) || '01234567', repeat('0', 40), $4,
      '{test}', now()
    FROM generate_series(1, $2::int) n RETURNING id
  )
  INSERT INTO jobs (project_id, pipeline_id, name, stage, stage_index, status, tags, definition,
    user_id, queued_at, updated_at)
  SELECT $1, created.id, 'unit ' || n, 'test', 0, 'pending', '{linux}', $5::jsonb, $4, now(), now()
  FROM created CROSS JOIN generate_series(1, $3::int) n ORDER BY created.id, n
  RETURNING id`;
