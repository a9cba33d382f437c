import { git } from '../support/git.ts';
import { eventsElsewhere, eventsInProject, notes } from './activity-events.ts';
import { addDeveloper, inBulk } from './fill.ts';
import { cachedRepository } from './repository.ts';
import type { BenchUser } from './users.ts';
import { importWiki } from './wiki.ts';
import type { World } from './world.ts';

/** A project with many events and merge requests, and the ids that the cases request. */
export interface Activity {
  readonly projectId: number;
  /** Merge requests requested one by one, in every state. */
  readonly iids: readonly number[];
  /** The author of many events, in this project and in others. */
  readonly busy: BenchUser;
  /** The caller, a developer of the project. */
  readonly developer: BenchUser;
  /** A sample of the wiki's pages. */
  readonly slugs: readonly string[];
  /** The wiki's repository. */
  readonly wikiFolder: string;
}

const mergeRequestCount = 10_000;
const eventCount = 100_000;
/** Events of the busy user in other projects. */
const elsewhereCount = 91_000;
const sampleCount = 16;
/** The repository that holds the target branches. */
const code = { seed: 'activity', commits: 10, bytes: 1024, paths: 10 } as const;

/** One more project, with 10 000 merge requests, 100 000 events and a wiki of 5 000 pages. */
export async function createActivity(world: World): Promise<Activity> {
  const { service, users } = world;
  const { id: projectId, folder } = await world.project('activity');
  const { worker: developer, member: busy } = users;
  await addDeveloper(`${service.url}/api/v4/projects/${projectId}/members`, developer.id);
  // fetched, not pushed: a push makes the service recheck all open merge requests
  await git(folder, 'fetch', '--quiet', await cachedRepository(code), 'master:master');
  const tip = await git(folder, 'rev-parse', 'refs/heads/master');
  const wikiFolder = folder.replace(/\.git$/, '.wiki.git');
  const pages = await importWiki(wikiFolder);
  await inBulk(service.databaseUrl, async (session) => {
    await session.query(insertLabelsAndMilestones, [projectId]);
    await session.query(insertMergeRequests, [projectId, mergeRequestCount, tip]);
    await session.query(insertLabels, [projectId]);
    await session.query(notes, [projectId, eventCount, busy.id]);
    await session.query(eventsInProject, [projectId, eventCount, busy.id]);
    await session.query(eventsElsewhere, [projectId, elsewhereCount, busy.id]);
    await session.query(count, [projectId, mergeRequestCount]);
  });
  const spread = Array.from({ length: sampleCount }, (_, index) => index * 613);
  return {
    projectId,
    iids: spread.map((number) => 1 + (number % mergeRequestCount)),
    busy,
    developer,
    slugs: spread.map((number) => pages[number % pages.length] ?? ''),
    wikiFolder,
  };
}

const insertLabelsAndMilestones = `
  WITH labels AS (
    INSERT INTO labels (project_id, name, color, updated_at)
    SELECT $1::int, 'label ' || chr(96 + n), '#' || lpad(to_hex(n * 800000), 6, '0'), now()
    FROM generate_series(1, 20) n
  ) INSERT INTO milestones (project_id, iid, title, description, state, start_date, due_date, updated_at)
  SELECT $1, n, 'Release ' || n, 'What release ' || n || ' brings',
    CASE WHEN n <= 6 THEN 'closed' ELSE 'active' END::milestone_state,
    date '2017-01-01' + n * 30, CASE WHEN n % 3 > 0 THEN date '2017-01-31' + n * 30 END, now()
  FROM generate_series(1, 10) n`;

/** Three of ten are open and mergeable, one is closed, six are merged. */
const insertMergeRequests = `
  WITH account AS (
    SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE username LIKE 'user%'
  ), milestone AS (
    SELECT id, iid FROM milestones WHERE project_id = $1
  ), created AS (
    INSERT INTO merge_requests (project_id, iid, source_project_id, source_branch, target_branch,
      author_id, assignee_id, milestone_id, state, merge_status, sha, checked_against, base_sha,
      merge_commit_sha, removes_source_branch, user_notes_count, time_estimate, total_time_spent,
      merged_by_id, merged_at, closed_by_id, closed_at, created_at, updated_at)
    SELECT $1, n, $1, 'feature-' || n, 'master', author_id, assignee_id, milestone_id,
      state::merge_request_state, 'can_be_merged', substr(key, 1, 40), $3,
      CASE WHEN state <> 'opened' THEN $3 END, CASE WHEN state = 'merged' THEN substr(key, 20, 40) END,
      n % 4 = 0, 2, n % 7 * 1800, n % 5 * 900,
      CASE WHEN state = 'merged' THEN author_id END,
      CASE WHEN state = 'merged' THEN made_at + interval '2 days' END,
      CASE WHEN state = 'closed' THEN author_id END,
      CASE WHEN state = 'closed' THEN made_at + interval '9 days' END,
      made_at, made_at + (n * 7919 % 30011) * interval '13 minutes'
    FROM (
      SELECT iids.n, author.id AS author_id, assignee.id AS assignee_id,
        milestone.id AS milestone_id, encode(sha256(iids.n::text::bytea), 'hex') AS key,
        (ARRAY['opened', 'opened', 'opened', 'closed', 'merged', 'merged', 'merged', 'merged',
          'merged', 'merged'])[1 + iids.n * 7 % 10] AS state,
        timestamptz '2015-01-01' + iids.n * interval '2 hours 3 ms' AS made_at
      FROM generate_series(1, $2::int) iids (n)
      JOIN account author ON author.n = 1 + iids.n * 31 % 1900
      LEFT JOIN account assignee ON assignee.n = 1 + iids.n * 17 % 1900 AND iids.n % 3 = 0
      LEFT JOIN milestone ON milestone.iid = iids.n * 11 % 13
    ) given
    ORDER BY n
    RETURNING id, iid
  ) INSERT INTO merge_request_texts (merge_request_id, title, description)
  SELECT id, CASE WHEN iid % 10 = 3 THEN 'WIP: ' ELSE '' END || 'Make part ' || iid % 997 || ' as it was',
    repeat('It works as in version ' || iid % 31 || ' again, since part ' || iid % 997 ||
      ' is changed. ', 5)
  FROM created`;

/** Gives each merge request two of the project's labels. */
const insertLabels = `
  WITH label AS (
    SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM labels WHERE project_id = $1
  ) INSERT INTO merge_request_labels (merge_request_id, label_id)
  SELECT target.id, label.id FROM merge_requests target
  JOIN label ON label.n IN (target.iid % 20, (target.iid + 1 + target.iid / 20 % 19) % 20)
  WHERE project_id = $1`;

const count = `
  UPDATE projects SET last_merge_request_iid = $2::int, last_milestone_iid = 10,
    default_branch = 'master'
  WHERE id = $1`;
