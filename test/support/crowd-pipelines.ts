import type { Session } from '../../prisma/client.ts';
import { unchecked } from './crowd.ts';

/**
 * Adds to a crowd `size` pipelines, a tenth of them in the project named: of branches and tags, by
 * everybody, in every state.
 */
export async function fillWithPipelines(
  session: Session,
  size: number,
  projectId: number,
): Promise<void> {
  const told = (statement: string) =>
    statement.replaceAll('$size', String(size)).replaceAll('$project', String(projectId));
  await unchecked(session, [pipelines].map(told));
  await session.query('VACUUM ANALYZE pipelines');
}

const numbered = (table: string) =>
  `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table})`;

const pipelines = `
  INSERT INTO pipelines
    (project_id, source, status, ref, is_tag, sha, before_sha, user_id, yaml_errors, stages, updated_at)
  SELECT CASE WHEN given.n % 10 = 3 THEN $project ELSE project.id END, 'push',
    (enum_range(NULL::ci_status))[1 + given.n / 10 % 8],
    CASE WHEN given.n % 30 = 3 THEN 'master' ELSE 'branch-' || given.n % 7000 END,
    given.n % 50 = 3, repeat('0', 8) || md5(given.n::text), repeat('0', 40), person.id,
    CASE WHEN given.n % 400 = 3 THEN 'job: no' END, '{test}', now()
  FROM generate_series(1, $size) given (n)
  JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31::bigint % $size
  JOIN ${numbered('users')} person ON person.n = 1 + given.n * 17::bigint % $size`;
