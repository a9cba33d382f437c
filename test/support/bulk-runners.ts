import type { Session } from '../../prisma/client.ts';
import { withoutForeignKeyChecks } from './bulk-data.ts';

/**
 * Adds `size` runners to a filled database: one in fifty is shared, one in ten paused, one in a hundred had
 * contact within the hour. Specific ones are enabled in two projects, a hundredth of them in the given one.
 */
export async function addManyRunners(
  session: Session,
  size: number,
  projectId: number,
): Promise<void> {
  const fillIn = (statement: string) =>
    statement.replaceAll('$size', String(size)).replaceAll('$project', String(projectId));
  await withoutForeignKeyChecks(session, [runners, enabled].map(fillIn));
  await session.query('VACUUM ANALYZE runners, runner_projects');
}

const runners = `
  INSERT INTO runners
    (token_digest, token_sealed, description, is_shared, is_active, name, contacted_at, updated_at)
  SELECT decode(md5(n::text), 'hex'), repeat('s', 80), 'runner ' || n, n % 50 = 0, n % 10 > 0,
    'gitlab-runner',
    CASE WHEN n % 100 = 1 THEN now() - interval '1 minute' WHEN n % 3 > 0 THEN now() - n * interval '2 hours' END,
    now()
  FROM generate_series(1, $size) n`;

const numbered = (table: string) =>
  `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table})`;

const enabled = `
  INSERT INTO runner_projects (runner_id, project_id)
  SELECT runner.id, CASE WHEN runner.n % 100 = 7 AND turn = 0 THEN $project ELSE project.id END
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM runners WHERE NOT is_shared) runner
  CROSS JOIN generate_series(0, 1) turn
  JOIN ${numbered('projects')} project ON project.n = 1 + (runner.n * 7 + turn * 13) % $size
  ON CONFLICT DO NOTHING`;
