import { addDeveloper, inBulk } from './fill.ts';
import type { BenchUser } from './users.ts';
import type { World } from './world.ts';

/** A project with many issues, and the ids that the cases request. */
export interface Planning {
  readonly projectId: number;
  /** Issues requested one by one; the first has 1000 notes. */
  readonly iids: readonly number[];
  /** Issues that get new notes, spread over the project. */
  readonly openIids: readonly number[];
  /** A developer of the project. */
  readonly developer: BenchUser;
}

const issueCount = 100_000;
const noteCount = 1000;
/** The issue with 1000 notes. */
const busyIid = 50_000;
const sampleCount = 16;
const talkedCount = 64;

/** One more project, with 100 000 issues, 1000 notes on one of them and a board with five lists. */
export async function createPlanning(world: World): Promise<Planning> {
  const { service, users } = world;
  const { id: projectId } = await world.project('planning');
  const developer = users.worker;
  await addDeveloper(`${service.url}/api/v4/projects/${projectId}/members`, developer.id);
  await inBulk(service.databaseUrl, async (session) => {
    await session.query(insertLabelsAndMilestones, [projectId]);
    await session.query(insertIssues, [projectId, issueCount]);
    await session.query(insertLabels, [projectId]);
    await session.query(insertAssignees, [projectId]);
    await session.query(insertNotes, [projectId, busyIid, noteCount]);
    await session.query(count, [projectId, issueCount]);
  });
  const spread = (length: number, first: number) =>
    Array.from({ length }, (_, index) => 1 + ((first - 1 + index * 6151) % issueCount));
  return {
    projectId,
    iids: spread(sampleCount, busyIid),
    openIids: spread(talkedCount, 7),
    developer,
  };
}

const insertLabelsAndMilestones = `
  WITH labels AS (
    INSERT INTO labels (project_id, name, color, description, updated_at)
    SELECT $1::int, 'label ' || chr(96 + n), '#' || lpad(to_hex(n * 800000), 6, '0'),
      CASE WHEN n % 2 = 0 THEN 'What is about ' || n END, now()
    FROM generate_series(1, 20) n RETURNING id
  ), lists AS (
    INSERT INTO board_lists (board_id, label_id, position, updated_at)
    SELECT boards.id, label.id, n - 1, now()
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM labels) label, boards
    WHERE boards.project_id = $1 AND n <= 5
  ) INSERT INTO milestones (project_id, iid, title, description, state, start_date, due_date, updated_at)
  SELECT $1, n, 'Release ' || n, 'What release ' || n || ' brings',
    CASE WHEN n <= 6 THEN 'closed' ELSE 'active' END::milestone_state,
    date '2017-01-01' + n * 30, CASE WHEN n % 3 > 0 THEN date '2017-01-31' + n * 30 END, now()
  FROM generate_series(1, 10) n`;

/** Three of ten are open, two of a hundred confidential; each has a title and a few sentences. */
const insertIssues = `
  WITH account AS (
    SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE username LIKE 'user%'
  ), milestone AS (
    SELECT id, iid FROM milestones WHERE project_id = $1
  ), created AS (
    INSERT INTO issues (project_id, iid, author_id, milestone_id, state, is_confidential, due_date,
      time_estimate, total_time_spent, closed_by_id, closed_at, created_at, updated_at)
    SELECT $1, n, author_id, milestone_id, CASE WHEN is_open THEN 'opened' ELSE 'closed' END::issue_state,
      n % 50 = 7, CASE WHEN n % 9 = 0 THEN date '2018-01-01' + (n % 300)::int END, n % 7 * 1800,
      n % 5 * 900, CASE WHEN is_open THEN NULL ELSE author_id END,
      CASE WHEN is_open THEN NULL ELSE made_at + interval '9 days' END, made_at,
      made_at + (n * 7919 % 30011) * interval '13 minutes'
    FROM (
      SELECT iids.n, account.id AS author_id, milestone.id AS milestone_id,
        iids.n * 7 % 10 < 3 AS is_open,
        timestamptz '2015-01-01' + iids.n * interval '15 minutes 3 ms' AS made_at
      FROM generate_series(1, $2::int) iids (n)
      JOIN account ON account.n = 1 + iids.n * 31 % 1900
      LEFT JOIN milestone ON milestone.iid = iids.n * 11 % 13
    ) given
    ORDER BY n
    RETURNING id, iid
  ) INSERT INTO issue_texts (issue_id, title, description)
  SELECT id, 'Something about part ' || iid % 997 || ' is not as it was',
    repeat('It worked in version ' || iid % 31 || ' and fails since part ' || iid % 997 ||
      ' was changed. ', 5)
  FROM created`;

/** Gives each issue two of the project's labels. */
const insertLabels = `
  WITH label AS (
    SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM labels WHERE project_id = $1
  ) INSERT INTO issue_labels (issue_id, label_id)
  SELECT issue.id, label.id FROM issues issue
  JOIN label ON label.n IN (issue.iid % 20, (issue.iid + 1 + issue.iid / 20 % 19) % 20)
  WHERE project_id = $1`;

/** Every third issue has an assignee, every twelfth has two. */
const insertAssignees = `
  WITH account AS (
    SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE username LIKE 'user%'
  ) INSERT INTO issue_assignees (issue_id, user_id)
  SELECT issue.id, account.id FROM issues issue
  CROSS JOIN generate_series(0, 1) seat
  JOIN account ON account.n = 1 + (issue.iid * 17 + seat * 911) % 1900
  WHERE project_id = $1 AND iid % CASE seat WHEN 0 THEN 3 ELSE 12 END = 0`;

/** Every tenth is a system note. */
const insertNotes = `
  INSERT INTO notes (issue_id, author_id, body, is_system, created_at, updated_at)
  SELECT issue.id, account.id,
    CASE WHEN given.n % 10 = 0 THEN 'closed'
      ELSE repeat('I have looked at it for the ' || given.n || '. time, and see it here as well. ', 4) END,
    given.n % 10 = 0, made_at, made_at
  FROM (
    SELECT n, timestamptz '2017-01-01' + n * interval '1 hour 7 ms' AS made_at
    FROM generate_series(1, $3::int) n
  ) given
  JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE username LIKE 'user%') account
    ON account.n = 1 + given.n * 13 % 1900
  JOIN issues issue ON issue.project_id = $1 AND issue.iid = $2::int
  ORDER BY given.n`;

const count = `
  WITH talked AS (
    UPDATE issues SET user_notes_count =
      (SELECT count(*) FROM notes WHERE issue_id = issues.id AND NOT is_system)
    FROM (SELECT DISTINCT issue_id FROM notes) note WHERE note.issue_id = issues.id
  ) UPDATE projects SET last_issue_iid = $2::int, last_milestone_iid = 10,
    open_issues_count = (
      SELECT count(*) FROM issues WHERE project_id = $1 AND state = 'opened' AND NOT is_confidential
    )
  WHERE id = $1`;
