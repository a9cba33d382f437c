import type { Session } from '../../prisma/client.ts';
import { withoutForeignKeyChecks } from './bulk-data.ts';
import { secrets } from './listings.ts';

/** A project and a group that get many more records than others. */
export interface BusySources {
  readonly projectId: number;
  readonly groupId: number;
}

/** The records with the most related rows. */
export interface BusyRecords {
  /** The issue with the most notes, and the note with the most emojis. */
  readonly iid: number;
  readonly noteId: number;
  readonly boardId: number;
  readonly projectMilestoneId: number;
  readonly groupMilestoneId: number;
}

/**
 * Adds `size` labels, milestones, issues, notes, emoji, board lists, access requests and variables
 * to a filled database. A third of the issues belong to the busy project, a hundredth of everything else to
 * one project or group.
 */
export async function addManyPlanningRecords(
  session: Session,
  size: number,
  { projectId, groupId }: BusySources,
): Promise<BusyRecords> {
  const fillIn = (statement: string) =>
    statement
      .replaceAll('$size', String(size))
      .replaceAll('$sealed', secrets.seal('value'))
      .replaceAll('$project', String(projectId))
      .replaceAll('$group', String(groupId));
  await withoutForeignKeyChecks(
    session,
    [labelsAndMilestones, issues, boards, notes, emojis, accessRequestsAndVariables].map(fillIn),
  );
  // as autovacuum would within a minute
  await session.query(`VACUUM ANALYZE ${tables}`);
  const { rows } = await session.query(fillIn(busyRecords));
  return rows[0];
}

const tables = `labels, label_priorities, label_subscriptions, milestones, issues, issue_texts,
  issue_assignees, issue_labels, issue_subscriptions, boards, board_lists, notes, award_emojis,
  access_requests, variables`;

/** The rows numbered from 1, for joins by number. */
const numbered = (table: string, where = 'true') =>
  `(SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${table} WHERE ${where})`;

/** One in a hundred rows is for the busy project, one for the busy group, the others for any project. */
const sourcesOf = (at: string) => `
  SELECT given.n, CASE given.n % 100 WHEN 0 THEN $project WHEN 1 THEN NULL ELSE project.id END AS project_id,
    CASE WHEN given.n % 100 = 1 THEN $group END AS namespace_id
  FROM generate_series(1::bigint, $size) given (n)
  JOIN ${numbered('projects')} project ON project.n = 1 + given.n * ${at} % $size`;

const labelsAndMilestones = `
  INSERT INTO labels (project_id, namespace_id, name, color, updated_at)
  SELECT project_id, namespace_id, 'label ' || n, '#428bca', now() FROM (${sourcesOf('7919')}) place;
  INSERT INTO label_priorities (label_id, project_id, priority)
  SELECT id, project_id, id % 9 FROM labels WHERE project_id IS NOT NULL AND id % 3 = 0;
  INSERT INTO label_subscriptions (label_id, user_id)
  SELECT label.id, account.id FROM ${numbered('labels')} label
  JOIN ${numbered('users')} account ON account.n = label.n;
  INSERT INTO milestones (project_id, namespace_id, iid, title, state, updated_at)
  SELECT project_id, namespace_id, n, 'milestone ' || n,
    CASE WHEN n % 3 = 0 THEN 'closed' ELSE 'active' END::milestone_state, now()
  FROM (${sourcesOf('104729')}) place`;

const issues = `
  WITH milestone AS (
    SELECT max(id) AS project_id FROM milestones WHERE project_id = $project
  ), created AS (
    INSERT INTO issues (project_id, iid, author_id, milestone_id, state, is_confidential, user_notes_count,
      created_at, updated_at)
    SELECT CASE WHEN given.n % 3 = 0 THEN $project ELSE project.id END, given.n, account.id,
      CASE WHEN given.n % 300 = 0 THEN milestone.project_id END,
      CASE WHEN given.n % 10 < 3 THEN 'opened' ELSE 'closed' END::issue_state, given.n % 50 = 7, 1,
      timestamptz '2017-01-01' + given.n * interval '7 minutes',
      timestamptz '2018-01-01' + (given.n * 7919 % $size) * interval '7 minutes'
    FROM generate_series(1::bigint, $size) given (n)
    JOIN ${numbered('projects')} project ON project.n = 1 + given.n * 31 % $size
    JOIN ${numbered('users')} account ON account.n = 1 + given.n * 17 % $size
    CROSS JOIN milestone
    RETURNING id
  ) INSERT INTO issue_texts (issue_id, title, description)
  SELECT id, 'Issue ' || substr(md5(id::text), 1, 16), CASE WHEN id % 10 = 0 THEN 'About ' || substr(md5((id + 1)::text), 1, 16) END FROM created;
  INSERT INTO issue_assignees (issue_id, user_id)
  SELECT issue.id, account.id FROM ${numbered('issues')} issue
  JOIN ${numbered('users')} account ON account.n = 1 + issue.n * 13 % $size WHERE issue.n % 4 > 0;
  INSERT INTO issue_labels (issue_id, label_id)
  SELECT issue.id, label.id FROM ${numbered('issues')} issue
  JOIN ${numbered('labels', 'project_id = $project')} label ON label.n = 1 + issue.n % 100
  WHERE issue.n % 4 < 3;
  INSERT INTO issue_subscriptions (issue_id, user_id, is_subscribed)
  SELECT issue_id, user_id, issue_id % 2 = 0 FROM issue_assignees`;

const boards = `
  INSERT INTO boards (project_id) SELECT id FROM projects ON CONFLICT DO NOTHING;
  INSERT INTO board_lists (board_id, label_id, position, updated_at)
  SELECT boards.id, labels.id, labels.id, now()
  FROM labels JOIN boards ON boards.project_id = labels.project_id`;

/** Each hundredth row belongs to the first issue of the busy project. */
const first = '(SELECT min(id) FROM issues WHERE project_id = $project)';
const notes = `
  INSERT INTO notes (issue_id, author_id, body, is_system, created_at, updated_at)
  SELECT CASE WHEN issue.n % 100 = 0 THEN ${first} ELSE issue.id END, account.id, 'note ' || issue.n,
    issue.n % 7 = 0, made_at, made_at
  FROM (SELECT id, created_at + interval '1 day' AS made_at, row_number() OVER (ORDER BY id) AS n
    FROM issues) issue
  JOIN ${numbered('users')} account ON account.n = 1 + issue.n * 29 % $size`;

/** Half on issues, half on notes; many of each on one. */
const emojis = `
  INSERT INTO award_emojis (issue_id, note_id, user_id, name, updated_at)
  SELECT CASE WHEN note.n % 2 = 0 THEN CASE WHEN note.n % 100 = 0 THEN ${first} ELSE issue_id END END,
    CASE WHEN note.n % 2 = 1 THEN CASE WHEN note.n % 100 = 1 THEN (SELECT min(id) FROM notes WHERE issue_id = ${first})
      ELSE note.id END END,
    account.id, (ARRAY['thumbsup', 'tada', 'eyes'])[1 + note.n % 3], now()
  FROM (SELECT id, issue_id, row_number() OVER (ORDER BY id) AS n FROM notes) note
  JOIN ${numbered('users')} account ON account.n = 1 + note.n * 37 % $size`;

const accessRequestsAndVariables = `
  INSERT INTO access_requests (project_id, namespace_id, user_id)
  SELECT project_id, namespace_id, account.id FROM (${sourcesOf('1299709')}) place
  JOIN ${numbered('users')} account ON account.n = place.n;
  INSERT INTO variables (project_id, namespace_id, key, value_sealed, updated_at)
  SELECT project_id, namespace_id, 'KEY_' || n, '$sealed', now() FROM (${sourcesOf('17')}) place`;

const busyRecords = `
  SELECT (SELECT iid FROM issues WHERE id = ${first}) AS "iid",
    (SELECT min(id) FROM notes WHERE issue_id = ${first}) AS "noteId",
    (SELECT id FROM boards WHERE project_id = $project) AS "boardId",
    (SELECT max(id) FROM milestones WHERE project_id = $project) AS "projectMilestoneId",
    (SELECT max(id) FROM milestones WHERE namespace_id = $group) AS "groupMilestoneId"`;
