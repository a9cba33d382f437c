import type { Session } from '../../prisma/client.ts';
import { withoutForeignKeyChecks } from './bulk-data.ts';

/** The project with the most events, and the most active users. */
interface Busy {
  readonly projectId: number;
  readonly authorIds: readonly number[];
}

/**
 * Adds `size` events and hooks to a database with planning records, merge requests and snippets. A third of the
 * events and a hundredth of the hooks belong to the busy project, a hundredth of the events to each
 * busy author, and a thousandth of the hooks to the whole instance.
 */
export async function addManyEvents(
  session: Session,
  size: number,
  { projectId, authorIds }: Busy,
): Promise<void> {
  const fillIn = (statement: string) =>
    statement
      .replaceAll('$size', String(size))
      .replaceAll('$project', String(projectId))
      .replaceAll('$authors', `'{${authorIds.join(',')}}'::int[]`);
  await withoutForeignKeyChecks(session, [events, hooks].map(fillIn));
  // as autovacuum would within a minute
  await session.query('VACUUM ANALYZE events, web_hooks');
}

/** The rows numbered from 1, for joins by number. */
const numbered = (table: string, where = 'true') =>
  `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table} WHERE ${where})`;

/** In turn pushes, issues, merge requests, comments of every kind, and new members. */
const events = `
  INSERT INTO events (project_id, author_id, action, target, target_id, target_iid, target_title,
    note_id, is_confidential, push, created_at)
  SELECT CASE WHEN given.n % 3 = 0 THEN $project ELSE project.id END,
    coalesce(($authors)[1 + given.n % 100], account.id),
    (ARRAY['pushed', 'created', 'closed', 'commented', 'merged', 'commented', 'joined']
      )[1 + given.n % 7]::event_action,
    (ARRAY[NULL, 'issue', 'issue', 'note', 'merge_request', 'note', NULL]
      )[1 + given.n % 7]::event_target,
    CASE given.n % 7 WHEN 1 THEN issue.id WHEN 2 THEN issue.id WHEN 4 THEN merge_request.id
      WHEN 3 THEN note.id WHEN 5 THEN note.id END,
    CASE WHEN given.n % 7 IN (1, 2, 4) THEN given.n END,
    CASE WHEN given.n % 7 IN (1, 2, 3, 4, 5) THEN 'a title' END,
    CASE WHEN given.n % 7 IN (3, 5) THEN note.id END,
    given.n % 7 IN (1, 2, 3, 5) AND given.n % 50 = 7,
    CASE WHEN given.n % 7 = 0 THEN '{"commitCount": 1, "action": "pushed", "refType": "branch",
      "commitFrom": null, "commitTo": null, "ref": "master", "commitTitle": null}'::jsonb END,
    timestamptz '2017-01-01' + given.n * interval '7 minutes'
  FROM generate_series(1::bigint, $size) given (n)
  JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31 % $size
  JOIN ${numbered('users')} account ON account.n = 1 + given.n * 17 % $size
  JOIN ${numbered('issues')} issue ON issue.n = given.n
  JOIN ${numbered('merge_requests')} merge_request ON merge_request.n = given.n
  JOIN ${numbered('notes')} note ON note.n = 1 + given.n * 2 % (2 * $size)`;

const hooks = `
  INSERT INTO web_hooks (project_id, url, updated_at)
  SELECT CASE WHEN project.n % 100 = 0 THEN $project WHEN project.n % 1000 <> 7 THEN project.id END,
    'https://example.com/' || project.n, now()
  FROM ${numbered('projects')} project`;
