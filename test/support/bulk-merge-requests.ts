import type { Session } from '../../prisma/client.ts';
import { withoutForeignKeyChecks } from './bulk-data.ts';

/** The merge request with the most notes, and a note on it. */
export interface BusyMergeRequest {
  readonly iid: number;
  readonly noteId: number;
}

/** The rows numbered from 1, for joins by number. */
const numbered = (table: string, where = 'true') =>
  `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table} WHERE ${where})`;

/**
 * Adds `size` merge requests, with notes and emoji, to a database with planning records; a third belongs to the
 * busy project.
 */
export async function addManyMergeRequests(
  session: Session,
  size: number,
  projectId: number,
): Promise<BusyMergeRequest> {
  const fillIn = (statement: string) =>
    statement.replaceAll('$size', String(size)).replaceAll('$project', String(projectId));
  await withoutForeignKeyChecks(
    session,
    [mergeRequests, commits, versions, notes, emojis].map(fillIn),
  );
  // as autovacuum would within a minute
  await session.query(
    `VACUUM ANALYZE merge_requests, merge_request_texts, merge_request_labels, merge_request_commits,
      merge_request_versions, notes, award_emojis`,
  );
  const { rows } = await session.query(
    fillIn(`SELECT (SELECT iid FROM merge_requests WHERE id = ${first}) AS "iid",
      (SELECT min(id) FROM notes WHERE merge_request_id = ${first}) AS "noteId"`),
  );
  return rows[0];
}

const first = '(SELECT min(id) FROM merge_requests WHERE project_id = $project)';

const mergeRequests = `
  WITH milestone AS (
    SELECT max(id) AS project_id FROM milestones WHERE project_id = $project
  ), created AS (
    INSERT INTO merge_requests (project_id, source_project_id, iid, author_id, assignee_id,
      milestone_id, state, source_branch, target_branch, created_at, updated_at)
    SELECT place.id, place.id, given.n, account.id,
      CASE WHEN given.n % 4 > 0 THEN other.id END,
      CASE WHEN given.n % 300 = 0 THEN milestone.project_id END,
      CASE WHEN given.n % 10 < 3 THEN 'opened' ELSE 'merged' END::merge_request_state,
      'branch-' || given.n, 'master',
      timestamptz '2017-01-01' + given.n * interval '7 minutes',
      timestamptz '2018-01-01' + (given.n * 7919 % $size) * interval '7 minutes'
    FROM generate_series(1::bigint, $size) given (n)
    JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31 % $size
    CROSS JOIN LATERAL (
      SELECT CASE WHEN given.n % 3 = 0 THEN $project ELSE project.id END AS id) place
    JOIN ${numbered('users')} account ON account.n = 1 + given.n * 17 % $size
    JOIN ${numbered('users')} other ON other.n = 1 + given.n * 13 % $size
    CROSS JOIN milestone
    RETURNING id
  ) INSERT INTO merge_request_texts (merge_request_id, title, description)
  SELECT id, 'Change ' || substr(md5(id::text), 1, 16),
    CASE WHEN id % 10 = 0 THEN 'Closes #' || id % 1000 END FROM created;
  INSERT INTO merge_request_labels (merge_request_id, label_id)
  SELECT merge_request.id, label.id FROM ${numbered('merge_requests')} merge_request
  JOIN ${numbered('labels', 'project_id = $project')} label ON label.n = 1 + merge_request.n % 100
  WHERE merge_request.n % 4 < 3`;

const commits = `
  INSERT INTO merge_request_commits (merge_request_id, sha)
  SELECT id, encode(sha256(id::text::bytea), 'hex') FROM merge_requests`;

const versions = `
  INSERT INTO merge_request_versions (merge_request_id, head_sha, changed_files)
  SELECT CASE WHEN n % 100 = 0 THEN ${first} ELSE id END, repeat('0', 40), 1
  FROM ${numbered('merge_requests')} merge_request`;

const notes = `
  INSERT INTO notes (merge_request_id, author_id, body, created_at, updated_at)
  SELECT CASE WHEN merge_request.n % 100 = 0 THEN ${first} ELSE merge_request.id END, account.id,
    'note ' || merge_request.n, made_at, made_at
  FROM (SELECT id, created_at AS made_at, row_number() OVER (ORDER BY id) AS n
    FROM merge_requests) merge_request
  JOIN ${numbered('users')} account ON account.n = 1 + merge_request.n * 29 % $size`;

const emojis = `
  INSERT INTO award_emojis (merge_request_id, user_id, name, updated_at)
  SELECT CASE WHEN merge_request.n % 100 = 0 THEN ${first} ELSE merge_request.id END, account.id,
    (ARRAY['thumbsup', 'tada', 'eyes'])[1 + merge_request.n % 3], now()
  FROM ${numbered('merge_requests')} merge_request
  JOIN ${numbered('users')} account ON account.n = 1 + merge_request.n * 37 % $size`;
