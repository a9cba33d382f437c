/** Statements for `createActivity`: events of one project, and one user's events in other projects. */

/** The author of the project's `n`-th event; the busy user, `$3`, is the author of one in eleven. */
const author = `
  CASE WHEN n % 11 = 3 THEN $3::int
    ELSE (SELECT ids FROM account)[1 + n * 13 % 1900] END`;

const userIds = `
  account AS (SELECT array_agg(id ORDER BY id) AS ids FROM users WHERE username LIKE 'user%')`;

/** Two events of ten are comments, on each merge request in turn. */
export const notes = `
  WITH ${userIds}
  INSERT INTO notes (merge_request_id, author_id, body, created_at, updated_at)
  SELECT target.id, ${author},
    repeat('I have looked at it for the ' || n || '. time, and it is well made. ', 3), made_at, made_at
  FROM (
    SELECT n, timestamptz '2016-01-01' + n * interval '9 minutes 7 ms' AS made_at
    FROM generate_series(0, $2::int - 1) n
  ) given
  JOIN merge_requests target ON target.project_id = $1 AND target.iid = 1 + n / 10
  WHERE n % 10 IN (4, 5)
  ORDER BY n`;

const columns = `project_id, author_id, action, target, target_id, target_iid, target_title,
  note_id, is_confidential, push, created_at`;

const push = `jsonb_build_object('commitCount', 1 + n % 7,
  'action', CASE WHEN n % 30 = 0 THEN 'created' ELSE 'pushed' END, 'refType', 'branch',
  'commitFrom', CASE WHEN n % 30 > 0 THEN md5('from ' || n) || '01234567' END,
  'commitTo', md5('to ' || n) || '01234567', 'ref', 'feature-' || n % 10000,
  'commitTitle', 'Change part ' || n % 997)`;

/** Four of ten are pushes, two are comments; the others concern merge requests, issues and milestones. */
export const eventsInProject = `
  WITH ${userIds}, note AS (
    SELECT notes.id, row_number() OVER (ORDER BY notes.id) - 1 AS place
    FROM notes JOIN merge_requests ON merge_requests.id = merge_request_id WHERE project_id = $1
  ), given AS (
    SELECT n, n % 10 AS kind, target.id AS target_id, target.iid AS target_iid, title, note.id AS note_id
    FROM generate_series(0, $2::int - 1) n
    JOIN merge_requests target ON target.project_id = $1 AND target.iid = 1 + n / 10
    JOIN merge_request_texts ON merge_request_id = target.id
    LEFT JOIN note ON n % 10 IN (4, 5) AND note.place = n / 10 * 2 + n % 10 - 4
  )
  INSERT INTO events (${columns})
  SELECT $1, ${author},
    (ARRAY['pushed', 'pushed', 'pushed', 'pushed', 'commented', 'commented', 'created', 'merged',
      'created', 'closed'])[1 + kind]::event_action,
    (ARRAY[NULL, NULL, NULL, NULL, 'note', 'note', 'merge_request', 'merge_request', 'issue',
      'milestone'])[1 + kind]::event_target,
    CASE WHEN kind IN (4, 5) THEN note_id WHEN kind IN (6, 7) THEN target_id WHEN kind > 7 THEN n END,
    CASE WHEN kind IN (6, 7) THEN target_iid WHEN kind > 7 THEN n / 10 END,
    CASE WHEN kind IN (4, 5, 6, 7) THEN title WHEN kind > 7 THEN 'Something about ' || n END,
    note_id, n % 50 = 8, CASE WHEN kind < 4 THEN ${push} END,
    timestamptz '2016-01-01' + n * interval '9 minutes 7 ms'
  FROM given ORDER BY n`;

/** Half of these are pushes. They are spread over all projects, private ones included. */
export const eventsElsewhere = `
  WITH place AS (SELECT array_agg(id ORDER BY id) AS ids, count(*)::int AS count FROM projects WHERE id <> $1)
  INSERT INTO events (${columns})
  SELECT place.ids[1 + n::bigint * 7919 % place.count], $3::int,
    CASE WHEN kind < 5 THEN 'pushed' WHEN kind = 7 THEN 'closed' ELSE 'created' END::event_action,
    (ARRAY[NULL, NULL, NULL, NULL, NULL, 'issue', 'issue', 'issue', 'merge_request',
      'milestone'])[1 + kind]::event_target,
    CASE WHEN kind > 4 THEN n END, CASE WHEN kind > 4 THEN n / 10 END,
    CASE WHEN kind > 4 THEN 'Something about ' || n END,
    NULL, n % 50 = 5, CASE WHEN kind < 5 THEN ${push} END,
    timestamptz '2016-01-01' + n * interval '10 minutes 3 ms'
  FROM (SELECT n, n % 10 AS kind FROM generate_series(1, $2::int) n) given CROSS JOIN place
  ORDER BY n`;
