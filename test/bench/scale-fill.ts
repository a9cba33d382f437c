import type { Session } from '../../prisma/client.ts';

/**
 * Statements that fill a database with users: `$projects` projects in groups, and for each project 10 issues,
 * 20 notes, 5 events and 2.5 pipelines. Half of the issues and pipelines, and with them of the notes and
 * events, belong to the first project, so that one project is large. Labels,
 * milestones and users are as many in each fill: a listing has a full page in the smallest as well.
 */
const statements = [
  `WITH made AS (
     INSERT INTO namespaces (kind, name, path, full_name, full_path, ancestor_ids, visibility, updated_at)
     SELECT 'group', 'Team ' || n, 'team-' || n, 'Team ' || n, 'team-' || n, '{}', 'public', now()
     FROM generate_series(1, $projects / 20) n RETURNING id, full_path
   ) INSERT INTO routes (key, namespace_id) SELECT full_path, id FROM made`,
  `UPDATE namespaces SET ancestor_ids = ARRAY[id] WHERE kind = 'group'`,
  `WITH home AS (
     SELECT id, name, path, row_number() OVER (ORDER BY id) AS n FROM namespaces WHERE kind = 'group'
   ), made AS (
     INSERT INTO projects (namespace_id, namespace_name, name, path, full_name, full_path, description,
       visibility, storage, disk_path, runners_token_digest, runners_token_sealed, created_at, updated_at,
       last_activity_at)
     SELECT home.id, home.name, word || ' ' || n.n, 'project-' || n.n, home.name || ' / ' || word || ' ' || n.n,
       home.path || '/project-' || n.n, 'About ' || md5(n.n::text),
       (CASE WHEN n.n = 1 OR n.n % 5 = 0 THEN 'public' WHEN n.n % 5 = 1 THEN 'internal'
         ELSE 'private' END)::visibility,
       'default', CASE WHEN n.n = 1 THEN '$repository' ELSE 'none/' || n.n END, convert_to('digest' || n.n, 'UTF8'), '',
       timestamptz '2017-01-01' + n.n * interval '1 hour', timestamptz '2018-01-01' + n.n * interval '1 hour',
       timestamptz '2019-01-01' + n.n * 7919 % $projects * interval '1 hour'
     FROM generate_series(1, $projects) n (n)
     JOIN home ON home.n = 1 + (n.n - 1) % ($projects / 20)
     CROSS JOIN LATERAL (SELECT (ARRAY['Amber', 'Harbor', 'Lantern', 'Meadow', 'Number', 'Orchard', 'Pebble'])
       [1 + n.n % 7] AS word) words
     ORDER BY n.n RETURNING id, full_path
   ), routed AS (INSERT INTO routes (key, project_id) SELECT full_path, id FROM made)
   INSERT INTO project_statistics (project_id) SELECT id FROM made`,
  // the member, user1, is a developer in a tenth of the groups and in the first project
  `INSERT INTO members (user_id, namespace_id, access_level)
   SELECT account.id, team.id, 30
   FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM namespaces WHERE kind = 'group') team
   JOIN users account ON account.username = 'user' || CASE WHEN team.n % 10 = 2 THEN 1 ELSE 3 + team.n % 1900 END`,
  `INSERT INTO members (user_id, project_id, access_level)
   SELECT account.id, (SELECT min(id) FROM projects), 30 FROM users account
   WHERE username = 'user1' OR account.id % 4 = 0`,
  `INSERT INTO labels (project_id, name, color, updated_at)
   SELECT project.id, 'label ' || given.n, '#428bca', now()
   FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM projects) project
   JOIN generate_series(1, 100) given (n) ON given.n <= CASE WHEN project.n = 1 THEN 100 ELSE 2 END`,
  `INSERT INTO milestones (project_id, iid, title, state, updated_at)
   SELECT project.id, given.n, 'milestone ' || given.n,
     CASE WHEN given.n % 3 = 0 THEN 'closed' ELSE 'active' END::milestone_state, now()
   FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM projects) project
   JOIN generate_series(1, 50) given (n) ON given.n <= CASE WHEN project.n = 1 THEN 50 ELSE 1 END`,
  `INSERT INTO issues (project_id, iid, author_id, milestone_id, state, is_confidential, created_at, updated_at)
   SELECT project.id, n.n, account.id, milestone.id,
     CASE WHEN n.n % 10 IN (0, 1, 5) THEN 'opened' ELSE 'closed' END::issue_state, n.n % 50 = 7,
     timestamptz '2017-01-01' + n.n * interval '7 minutes',
     timestamptz '2018-01-01' + n.n * 7919 % ($projects * 10) * interval '7 minutes'
   FROM generate_series(1::bigint, $projects * 10) n (n)
   JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM projects) project
     ON project.n = CASE WHEN n.n % 2 = 0 THEN 1 ELSE 1 + n.n * 31 % $projects END
   JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) account ON account.n = 1 + n.n * 17 % 1999
   LEFT JOIN milestones milestone ON milestone.project_id = project.id AND n.n % 3 = 0
     AND milestone.iid = CASE WHEN project.n = 1 THEN 1 + n.n / 6 % 50 ELSE 1 END
   ORDER BY n.n`,
  `INSERT INTO issue_texts (issue_id, title, description)
   SELECT id, (ARRAY['This part breaks ', 'The list is wrong ', 'Search in the harbor ', 'Broken part ',
     'Crash '])[1 + id % 5] || substr(md5(id::text), 1, 12),
     CASE WHEN id % 4 = 0 THEN 'It is seen on ' || md5((id + 1)::text) END FROM issues`,
  `INSERT INTO issue_assignees (issue_id, user_id)
   SELECT issue.id, account.id FROM issues issue
   JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) account
     ON account.n = 1 + issue.id::bigint * 13 % 1999
   WHERE issue.id % 4 > 0`,
  `INSERT INTO issue_labels (issue_id, label_id)
   SELECT issue.id, label.id FROM issues issue
   JOIN (SELECT id, project_id, row_number() OVER (PARTITION BY project_id ORDER BY id) AS n,
     count(*) OVER (PARTITION BY project_id) AS among FROM labels) label
     ON label.project_id = issue.project_id AND label.n IN (1 + issue.id % among, 1 + issue.id / 7 % among)`,
  `INSERT INTO notes (issue_id, author_id, body, is_system, created_at, updated_at)
   SELECT CASE WHEN n.n % 100 = 0 THEN (SELECT min(id) FROM issues WHERE project_id = (SELECT min(id) FROM projects))
     ELSE issue.id END, issue.author_id, 'note ' || n.n, n.n % 7 = 0,
     issue.created_at + n.n * interval '1 second', issue.created_at + n.n * interval '1 second'
   FROM generate_series(1::bigint, $projects * 20) n (n)
   JOIN (SELECT id, author_id, created_at, row_number() OVER (ORDER BY id) AS n FROM issues) issue
     ON issue.n = 1 + n.n * 31 % ($projects * 10)`,
  `INSERT INTO events (project_id, author_id, action, target, target_id, target_iid, target_title, note_id,
     is_confidential, push, created_at)
   SELECT issue.project_id, CASE WHEN n.n % 10 = 3 THEN (SELECT id FROM users WHERE username = 'user1')
       ELSE issue.author_id END,
     (ARRAY['pushed', 'created', 'closed'])[1 + n.n % 3]::event_action,
     (ARRAY[NULL, 'issue', 'issue'])[1 + n.n % 3]::event_target,
     CASE WHEN n.n % 3 > 0 THEN issue.id END, CASE WHEN n.n % 3 > 0 THEN issue.iid END,
     CASE WHEN n.n % 3 > 0 THEN 'a title' END, NULL, n.n % 3 > 0 AND issue.is_confidential,
     CASE WHEN n.n % 3 = 0 THEN '{"commitCount": 1, "action": "pushed", "refType": "branch",
       "commitFrom": null, "commitTo": null, "ref": "master", "commitTitle": null}'::jsonb END,
     timestamptz '2017-01-01' + n.n * interval '7 minutes'
   FROM generate_series(1::bigint, $projects * 5) n (n)
   JOIN (SELECT *, row_number() OVER (ORDER BY id) AS n FROM issues) issue
     ON issue.n = 1 + n.n * 17 % ($projects * 10)`,
  `INSERT INTO pipelines (project_id, source, status, ref, is_tag, sha, before_sha, user_id, stages, updated_at)
   SELECT project.id, 'push', (enum_range(NULL::ci_status))[1 + n.n % 8], 'branch-' || n.n % 300, n.n % 50 = 3,
     ('{$commits}'::text[])[1 + n.n / 2 % cardinality('{$commits}'::text[])], repeat('0', 40), account.id,
     '{test}', now()
   FROM generate_series(1::bigint, $projects * 5 / 2) n (n)
   JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM projects) project
     ON project.n = CASE WHEN n.n % 2 = 0 THEN 1 ELSE 1 + n.n * 31 % $projects END
   JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) account ON account.n = 1 + n.n * 17 % 1999`,
  `INSERT INTO jobs (project_id, pipeline_id, name, stage, stage_index, status, definition, user_id, updated_at)
   SELECT project_id, id, 'job ' || id % 7, 'test', 0,
     CASE WHEN id % 9 = 1 THEN 'failed' ELSE 'success' END::ci_status, '{}', user_id, now() FROM pipelines`,
];

/** The repository of the first project; the other projects have none. */
export interface FirstRepository {
  readonly diskPath: string;
  /** The commits that pipelines run for. */
  readonly commits: readonly string[];
}

/** The statements of a fill with so many projects. */
export const scaleStatements = (
  projects: number,
  { diskPath, commits }: FirstRepository,
): readonly string[] =>
  statements.map((statement) =>
    statement
      .replaceAll('$projects', String(projects))
      .replaceAll('$repository', diskPath)
      .replaceAll('$commits', commits.join()),
  );

/** Records that the listings start from. */
export interface ScaleTargets {
  /** The project with half of all issues, and its group. */
  readonly project: number;
  readonly group: number;
  /** The issue of that project with a hundredth of all notes. */
  readonly issueIid: number;
  readonly milestone: number;
  readonly pipeline: number;
  /** The user with a tenth of all events. */
  readonly user: number;
}

export async function findScaleTargets(session: Session): Promise<ScaleTargets> {
  const { rows } = await session.query<ScaleTargets>(
    `SELECT project.id AS project, namespace_id AS "group",
       (SELECT iid FROM issues WHERE project_id = project.id ORDER BY id LIMIT 1) AS "issueIid",
       (SELECT min(id) FROM milestones WHERE project_id = project.id) AS milestone,
       (SELECT max(id) FROM pipelines WHERE project_id = project.id) AS pipeline,
       (SELECT id FROM users WHERE username = 'user1') AS user
     FROM projects project ORDER BY id LIMIT 1`,
  );
  const [targets] = rows;
  if (!targets) throw new Error('the fill has no projects');
  return targets;
}
