import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import { tablesNamedIn } from '../../schema/listing/watched-columns.ts';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import { repositoryFolder } from '../../server/git/address.ts';
import { addManyEvents } from '../support/bulk-activity.ts';
import { dropIndexes, fillDatabase } from '../support/bulk-data.ts';
import { addManyMergeRequests } from '../support/bulk-merge-requests.ts';
import { addManyPipelines } from '../support/bulk-pipelines.ts';
import { addManyPlanningRecords } from '../support/bulk-planning.ts';
import { addManyRunners } from '../support/bulk-runners.ts';
import { addManySnippets } from '../support/bulk-snippets.ts';
import { git as runGit, workTree } from '../support/git.ts';
import {
  bothDirections,
  eventParams,
  groupParams,
  issueParams,
  jobParams,
  labelParams,
  mergeRequestParams,
  milestoneParams,
  noteParams,
  type Params,
  pipelineParams,
  projectParams,
} from '../support/listing-params.ts';
import { listingPaths, ownListings } from '../support/listings.ts';
import { publicQueriesOn, publicSchema } from '../support/public-queries.ts';
import { type FilterSamples, listingCases } from '../support/schema-listings.ts';

/** Rows per table: with fewer, a sequential scan can be the better plan. */
const size = 100_000;

const { databaseUrl, session, storages, git, listings } = await ownListings();
const bringIndicesBack = await dropIndexes(session);
await fillDatabase(session, size);

const idOf = async (sql: string): Promise<number> => (await session.query(sql)).rows[0].id;

/** The viewer for the selected user, after its columns in `traits` are set. */
async function viewerWith(sql: string, traits = 'id = id'): Promise<Viewer> {
  const id = await idOf(sql);
  await session.query(`UPDATE users SET ${traits} WHERE id = $1`, [id]);
  const db = connect(databaseUrl, { poolSize: 1 });
  const viewer = await viewerOf(db, id).finally(() => db.$disconnect());
  if (!viewer) throw new Error('no user matches');
  return viewer;
}

const callers: Record<string, Viewer | null> = {
  anonymous: null,
  'a member': await viewerWith(
    `SELECT user_id AS id FROM members JOIN users ON users.id = user_id
     WHERE state = 'active' AND NOT is_external AND namespace_id IS NOT NULL ORDER BY 1 LIMIT 1 OFFSET 5`,
  ),
  'an administrator': await viewerWith('SELECT min(id) AS id FROM users', 'is_admin = true'),
};

const open = `visibility = 'public' ORDER BY id LIMIT 1`;
const project = { id: String(await idOf(`SELECT id FROM projects WHERE ${open}`)) };
const group = {
  id: String(
    await idOf(
      `SELECT id FROM namespaces WHERE kind = 'group' AND cardinality(ancestor_ids) = 2 AND ${open}`,
    ),
  ),
};
const owner = await idOf('SELECT id FROM users ORDER BY id LIMIT 1 OFFSET 7');

const busy = await addManyPlanningRecords(session, size, {
  projectId: Number(project.id),
  groupId: Number(group.id),
});
const issue = { ...project, issue_iid: busy.iid };

const busyMerge = await addManyMergeRequests(session, size, Number(project.id));
const mergeRequest = { ...project, merge_request_iid: busyMerge.iid };

const busySnippet = await addManySnippets(session, size, Number(project.id));
await session.query('UPDATE projects SET snippets_enabled = true WHERE id = $1', [project.id]);
const snippet = { ...project, snippet_id: busySnippet.snippetId };

await addManyRunners(session, size, Number(project.id));
await addManyPipelines(session, size, Number(project.id));
const busyPipeline = {
  ...project,
  pipeline_id: await idOf(`SELECT max(id) AS id FROM pipelines WHERE project_id = ${project.id}`),
};
const busyRunner = {
  id: await idOf(`SELECT min(runner_id) AS id FROM jobs WHERE project_id = ${project.id}`),
};

const callerIds = Object.values(callers).flatMap((viewer) => viewer?.id ?? []);
await addManyEvents(session, size, {
  projectId: Number(project.id),
  authorIds: [...callerIds, owner],
});

/** A repository for the project, with `size` comments and statuses in total. */
const repository = git.place('default');
await git.create(repository, async () => {});
const work = await workTree({ 'README.md': '# App' });
const sha = await runGit(work, 'rev-parse', 'HEAD');
await runGit(work, 'push', '--quiet', repositoryFolder(storages, repository), 'master');
await rm(work, { recursive: true });
await session.query('UPDATE projects SET storage = $1, disk_path = $2 WHERE id = $3', [
  ...[repository.storage, repository.diskPath, project.id],
]);
// one in a hundred belongs to this commit
const shas = `CASE WHEN n % 100 = 0 THEN '${sha}' ELSE md5(n::text) || '00000000' END`;
await session.query(
  `INSERT INTO commit_comments (project_id, sha, note)
   SELECT ${project.id}, ${shas}, 'note' FROM generate_series(1, ${size}) n`,
);
await session.query(
  `INSERT INTO commit_statuses (project_id, sha, ref, name, state)
   SELECT ${project.id}, ${shas}, 'master', 'check ' || n % 7000, 'success'
   FROM generate_series(1, ${size}) n`,
);
await session.query(
  `INSERT INTO releases (project_id, tag_name, description, updated_at)
   SELECT id, 'v' || n, 'notes', now() FROM generate_series(1, ${size}) n
   JOIN projects ON projects.id = CASE WHEN n % 100 = 0 THEN ${project.id} ELSE n END`,
);
await session.query(
  `INSERT INTO release_details (release_id, author_id, released_at)
   SELECT id, ${owner}, CASE WHEN id % 2 = 0 THEN now() END FROM releases`,
);
await session.query(
  `INSERT INTO release_links (release_id, name, url, updated_at)
   SELECT id, 'app', 'https://files.example/app', now() FROM releases`,
);
await session.query(
  `INSERT INTO release_milestones (release_id, milestone_id)
   SELECT id, ${busy.projectMilestoneId} FROM releases`,
);
// each tenth note replies to the one before it
await session.query(
  `INSERT INTO thread_notes (note_id, first_note_id, started_by, merge_request_id)
   SELECT note.id, note.first_id, note.first_id, merge_request_id FROM (
     SELECT id, id - CASE WHEN n % 10 = 1 THEN 1 ELSE 0 END AS first_id, n, merge_request_id
     FROM (SELECT *, row_number() OVER (ORDER BY id) - 1 AS n FROM notes) numbered) note
   WHERE n % 10 < 2`,
);
await session.query(
  `UPDATE notes SET is_in_thread = true, is_reply = first_note_id <> note_id FROM thread_notes
   WHERE note_id = notes.id`,
);
await session.query(
  `INSERT INTO diff_positions (note_id, type, base_sha, start_sha, head_sha, old_path, new_path)
   SELECT note_id, 'text', '', '', '', 'a', 'a' FROM thread_notes`,
);
await session.query(
  `INSERT INTO thread_comments (comment_id, first_comment_id, started_by)
   SELECT id, id, id FROM commit_comments`,
);
// a hundredth of the to-dos belongs to each caller
const userOfTodo = `CASE n % 100 WHEN 0 THEN ${callerIds[0]} WHEN 1 THEN ${callerIds[1]} ELSE author_id END`;
const stateOfTodo = `CASE WHEN n % 4 = 0 THEN 'pending' ELSE 'done' END::todo_state`;
for (const [table, column] of [
  ['issues', 'issue_id'],
  ['merge_requests', 'merge_request_id'],
]) {
  await session.query(
    `INSERT INTO todos (user_id, author_id, project_id, ${column}, action, state, updated_at)
     SELECT ${userOfTodo}, author_id, project_id, id, 'assigned', ${stateOfTodo}, now()
     FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM ${table}) target`,
  );
}
await session.query('VACUUM ANALYZE todos');
await bringIndicesBack();

const runnerScopes = ['specific', 'shared', 'active', 'paused', 'online'].map((scope) => ({
  scope,
}));

const within = (parent: Params, list: readonly Params[]) =>
  list.map((params) => ({ ...parent, ...params }));

/** A search in each of its scopes; milestones of many projects and snippets have no index for it. */
const searches = (...scopes: readonly string[]): readonly Params[] =>
  scopes.map((scope) => ({ scope, search: 'abcd1' }));
const groupSearches = within(group, searches('projects', 'issues', 'merge_requests', 'users'));
const projectSearches = within(
  project,
  searches('issues', 'merge_requests', 'milestones', 'notes', 'users'),
);

/** Each listing with each of its documented filters and orders. */
const listingParams: Readonly<Record<string, readonly Params[]>> = {
  '/projects': projectParams,
  '/groups/:id/projects': within(group, projectParams),
  '/projects/:id/forks': within(project, projectParams),
  '/users/:user_id/projects': within({ user_id: String(owner) }, projectParams),
  '/groups': groupParams,
  '/groups/:id/subgroups': within(group, groupParams),
  '/namespaces': [{}, { search: 'group 777' }, { page: 200 }],
  '/users': [
    {},
    { page: 200 },
    { search: 'abcd1' },
    { username: 'user5' },
    { active: true },
    { blocked: true },
  ],
  '/projects/:id/users': within(project, [{}, { search: 'abcd1' }]),
  '/projects/:id/members': within(project, [{}, { query: 'abcd1' }]),
  '/groups/:id/members': within(group, [{}, { query: 'abcd1' }]),
  '/user/emails': [{}],
  '/issues': issueParams(owner).map((params) => ({ scope: 'all', ...params })),
  '/groups/:id/issues': within(group, issueParams(owner)),
  '/projects/:id/issues': within(project, issueParams(owner)),
  // most are merged, and a branch name is not selective without its project
  '/merge_requests': mergeRequestParams(owner)
    .filter((params) => params.state !== 'merged' && !('source_branch' in params))
    .map((params) => ({ scope: 'all', ...params })),
  '/groups/:id/merge_requests': within(group, mergeRequestParams(owner)),
  '/projects/:id/merge_requests': within(project, mergeRequestParams(owner)),
  '/projects/:id/merge_requests/:merge_request_iid/participants': [mergeRequest],
  '/projects/:id/merge_requests/:merge_request_iid/pipelines': [mergeRequest],
  '/projects/:id/merge_requests/:merge_request_iid/versions': [mergeRequest],
  '/projects/:id/merge_requests/:merge_request_iid/closes_issues': [mergeRequest],
  '/projects/:id/merge_requests/:merge_request_iid/notes': within(mergeRequest, [
    { page: 9 },
    ...bothDirections(['created_at', 'updated_at']),
  ]),
  '/projects/:id/merge_requests/:merge_request_iid/award_emoji': [mergeRequest],
  '/projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji': [
    { ...mergeRequest, note_id: busyMerge.noteId },
  ],
  '/projects/:id/boards': [project],
  '/projects/:id/boards/:board_id/lists': [
    { ...project, board_id: busy.boardId },
    { ...project, board_id: busy.boardId, page: 9 },
  ],
  '/projects/:id/labels': within(project, labelParams),
  '/groups/:id/labels': within(group, labelParams),
  '/projects/:id/milestones': within(project, milestoneParams),
  '/groups/:id/milestones': within(group, milestoneParams),
  '/projects/:id/milestones/:milestone_id/issues': within(
    { ...project, milestone_id: busy.projectMilestoneId },
    [{}, { page: 9 }],
  ),
  '/projects/:id/milestones/:milestone_id/merge_requests': [
    { ...project, milestone_id: busy.projectMilestoneId },
  ],
  '/groups/:id/milestones/:milestone_id/merge_requests': [
    { ...group, milestone_id: busy.groupMilestoneId },
  ],
  '/groups/:id/milestones/:milestone_id/issues': [
    { ...group, milestone_id: busy.groupMilestoneId },
  ],
  '/projects/:id/issues/:issue_iid/notes': within(issue, [
    { page: 9 },
    ...bothDirections(['created_at', 'updated_at']),
  ]),
  '/projects/:id/issues/:issue_iid/discussions': within(issue, [{}, { page: 9 }]),
  '/projects/:id/merge_requests/:merge_request_iid/discussions': within(mergeRequest, [
    {},
    { page: 9 },
  ]),
  '/projects/:id/snippets/:snippet_id/discussions': [snippet],
  '/projects/:id/issues/:issue_iid/participants': [issue],
  '/projects/:id/issues/:issue_iid/closed_by': [issue],
  '/projects/:id/issues/:issue_iid/related_merge_requests': [issue],
  '/projects/:id/issues/:issue_iid/award_emoji': [issue, { ...issue, page: 9 }],
  '/projects/:id/issues/:issue_iid/notes/:note_id/award_emoji': within(
    { ...issue, note_id: busy.noteId },
    [{}, { page: 9 }],
  ),
  '/projects/:id/snippets': within(project, [{}, { page: 9 }]),
  '/snippets': [{}],
  '/snippets/public': [{}, { page: 9 }],
  '/projects/:id/snippets/:snippet_id/notes': within(snippet, [
    {},
    ...bothDirections(['created_at', 'updated_at']),
  ]),
  '/projects/:id/snippets/:snippet_id/award_emoji': [snippet],
  '/projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji': [
    { ...snippet, note_id: busySnippet.noteId },
  ],
  '/user/keys': [{}],
  '/projects/:id/pipelines': within(project, pipelineParams),
  '/projects/:id/jobs': within(project, jobParams),
  '/projects/:id/pipelines/:pipeline_id/jobs': within(busyPipeline, jobParams),
  '/runners': [{}, { scope: 'active' }, { scope: 'paused' }, { scope: 'online' }],
  '/todos': [
    {},
    { page: 9 },
    { state: 'pending' },
    { action: 'assigned' },
    { author_id: owner },
    { project_id: Number(project.id) },
    { group_id: Number(group.id), state: 'pending' },
    { type: 'Issue' },
    { type: 'MergeRequest', state: 'done' },
  ],
  '/events': eventParams,
  '/users/:id/events': within({ id: String(owner) }, eventParams),
  '/projects/:id/events': within(project, eventParams),
  '/search': searches(...['projects', 'issues', 'merge_requests', 'users']),
  '/groups/:id/search': groupSearches,
  '/groups/:id/-/search': groupSearches.slice(0, 1),
  '/projects/:id/search': projectSearches,
  '/projects/:id/-/search': projectSearches.slice(0, 1),
  '/projects/:id/repository/commits/:sha/discussions': [
    { ...project, sha },
    { ...project, sha, page: 9 },
  ],
  '/projects/:id/repository/commits/:sha/comments': [
    { ...project, sha },
    { ...project, sha, page: 9 },
  ],
  '/projects/:id/repository/commits/:sha/merge_requests': [{ ...project, sha }],
};

/** Listings and filters that require an administrator. */
const administratorParams: Readonly<Record<string, readonly Params[]>> = {
  '/users': [
    { external: true },
    { created_after: '2016-12-01T00:00:00Z', created_before: '2016-12-02T00:00:00Z' },
    { provider: 'ldap', extern_uid: 'uid7' },
    ...noteParams.slice(0, 1),
  ],
  '/projects': noteParams,
  '/groups/:id/projects': within(group, noteParams),
  '/groups': noteParams,
  '/groups/:id/subgroups': within(group, noteParams),
  '/users/:id/emails': [{ id: owner }],
  '/users/:id/keys': [{ id: owner }],
  '/deploy_keys': [{}, { page: 9 }],
  '/hooks': [{}, { page: 3 }],
  '/projects/:id/hooks': within(project, [{}, { page: 9 }]),
  '/projects/:id/deploy_keys': within(project, [{}, { page: 9 }]),
  '/projects/:id/protected_branches': [project],
  '/projects/:id/protected_tags': [project],
  '/projects/:id/members/all': within(project, [{}, { query: 'user 77' }]),
  '/groups/:id/members/all': within(group, [{}, { query: 'user 77' }]),
  '/projects/:id/releases': within(project, [{}, { order_by: 'created_at' }, { page: 9 }]),
  '/projects/:id/releases/:tag_name/assets/links': [{ ...project, tag_name: 'v100' }],
  '/projects/:id/access_requests': [project],
  '/groups/:id/access_requests': [group],
  '/projects/:id/variables': [project, { ...project, page: 9 }],
  '/groups/:id/variables': [group],
  '/projects/:id/repository/commits/:sha/statuses': [
    { ...project, sha },
    { ...project, sha, all: true, page: 9 },
    { ...project, sha, ref: 'master', name: 'check 700' },
  ],
  '/runners/all': [{}, { page: 200 }, ...runnerScopes],
  '/runners/:id/jobs': within(busyRunner, [{}, { page: 5 }, { status: 'failed' }, { sort: 'asc' }]),
  '/projects/:id/triggers': within(project, [{}, { page: 9 }]),
  '/projects/:id/environments': within(project, [{}, { page: 9 }]),
  '/projects/:id/deployments': within(project, [
    { page: 9 },
    ...bothDirections(['id', 'iid', 'created_at', 'ref']),
  ]),
  '/projects/:id/pipeline_schedules': within(project, [
    {},
    { page: 9 },
    { scope: 'active' },
    { scope: 'inactive' },
  ]),
  '/projects/:id/runners': within(project, [{}, { page: 9 }, ...runnerScopes]),
  '/user/activities': [{ from: '2017-03-01' }],
  '/users/:id/impersonation_tokens': [{ id: owner }, { id: owner, state: 'active' }],
};

/** The callers that can use the other listings. */
const callersOf = (path: string): readonly string[] => {
  const isOpen =
    !/members|namespaces|emails|issues|boards|labels|milestones|^\/users$/.test(path) &&
    !/search|merge_requests|snippets|keys|runners|pipelines|jobs|^\/events$|^\/todos$/.test(path);
  return isOpen ? Object.keys(callers) : ['a member', 'an administrator'];
};

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const scannedIn = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scannedIn),
];

const readIn = (plan: Plan): readonly string[] => [
  ...(plan['Relation Name'] ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(readIn),
];

/** A total is forgotten if a table that its statement names has changed, so it must name all. */
const expectTablesNamed = (sql: string, plan: Plan) =>
  expect(tablesNamedIn(sql)).toEqual(expect.arrayContaining([...readIn(plan)]));

/** PostgreSQL's plan for a statement. */
async function planOf(sql: string, values: readonly unknown[]): Promise<Plan> {
  const { rows } = await session.query(`EXPLAIN (FORMAT JSON) ${sql}`, [...values]);
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** The selective filters of issues. */
const selectiveFilters = [
  ...['labels', 'milestone', 'iids', 'search', 'author_id', 'assignee_id', 'my_reaction_emoji'],
];

/**
 * Whether the query counts most issues or runners, or filters by a missing value. The table is hardly
 * larger than an index of it, so a sequential scan is the better plan. The page itself must still use
 * an index.
 */
const isCountedWhole = (path: string, params: Params): boolean =>
  (path === '/runners/all' && !['shared', 'paused', 'online'].includes(String(params.scope))) ||
  (/\/(?:issues|merge_requests)$/.test(path) &&
    (params.assignee_id === 0 ||
      String(params.labels) === 'No Label' ||
      (params.scope === 'all' &&
        (params.milestone === 'No Milestone' ||
          !selectiveFilters.some((name) => name in params)))));

/** The plan without its first subplan, which counts all rows. */
const withoutCount = ({ Plans: [, ...subplans] = [], ...plan }: Plan): Plan => ({
  ...plan,
  Plans: subplans,
});

const cases = [
  ...Object.entries(listingParams).flatMap(([path, list]) =>
    callersOf(path).flatMap((caller) => list.map((params) => [path, caller, params] as const)),
  ),
  ...Object.entries(administratorParams).flatMap(([path, list]) =>
    list.map((params) => [path, 'an administrator', params] as const),
  ),
];

describe(`with ${size} rows per table no listing scans a whole table`, () => {
  test.each(cases)('%s by %s with %o', async (path, caller, params) => {
    const { queries } = await listings.list(path, callers[caller] ?? null, params);
    const isCounted = isCountedWhole(path, params);
    for (const { sql, values } of queries) {
      const plan = await planOf(sql, values);
      expectTablesNamed(sql, plan);
      const pagePlan = isCounted && sql.includes('AS total') ? withoutCount(plan) : plan;
      expect([sql, scannedIn(pagePlan)]).toEqual([sql, []]);
    }
  });

  test('every listing of records is covered', () => {
    expect(
      listingPaths
        .filter((path) => !(path in listingParams || path in administratorParams))
        .toSorted(),
    ).toEqual([
      '/projects/:id/merge_requests/:merge_request_iid/commits',
      '/projects/:id/merge_requests/:merge_request_iid/diffs',
      '/projects/:id/repository/branches',
      '/projects/:id/repository/commits',
      '/projects/:id/repository/commits/:sha/refs',
      '/projects/:id/repository/contributors',
      '/projects/:id/repository/tags',
      '/projects/:id/repository/tree',
      '/templates/dockerfiles',
      '/templates/gitignores',
      '/templates/gitlab_ci_ymls',
      '/templates/licenses',
    ]);
  });
});

/** One value for each field of a filter that is no enum and no boolean. */
const samples: FilterSamples = {
  activeSince: ['2017-03-01'],
  assigneeId: [String(owner)],
  assigneeUsername: ['user77'],
  authorId: [String(owner)],
  authorUsername: ['user77'],
  createdAfter: ['2018-01-20T00:00:00Z'],
  createdBefore: ['2018-01-20T00:00:00Z'],
  customAttributes: [{ fields: 'customAttributes: [{ key: "team", value: "team 7" }]' }],
  groupId: [Number(group.id)],
  projectId: [Number(project.id)],
  externUid: [{ fields: 'provider: "ldap", externUid: "uid7"' }],
  iids: [[3, 6, 9]],
  labels: [['label 100'], ['label 100', 'label 200']],
  milestoneId: [String(busy.projectMilestoneId)],
  milestoneTitle: ['milestone 300'],
  myReaction: ['thumbsup'],
  name: ['User 77'],
  provider: [{ fields: 'provider: "ldap", externUid: "uid7"' }],
  ref: ['branch-300'],
  search: ['abcd1'],
  title: ['Milestone 7'],
  sha: ['0'.repeat(40)],
  skipIds: [['1', '2', '3']],
  sourceBranch: ['branch-300'],
  stage: ['external'],
  targetBranch: ['other'],
  updatedAfter: ['2018-01-20T00:00:00Z'],
  updatedBefore: ['2018-01-20T00:00:00Z'],
  username: ['user77'],
};

const { rows: milestoneRows } = await session.query('SELECT iid FROM milestones WHERE id = $1', [
  busy.projectMilestoneId,
]);
const milestoneIid = milestoneRows[0].iid;

/** Documents that lead to a record of each type, around the selection of a listing. */
const parents: Readonly<Record<string, (selection: string) => string>> = {
  Query: (selection) => `{ ${selection} }`,
  Project: (selection) => `{ project(id: ${project.id}) { ${selection} } }`,
  Group: (selection) => `{ group(id: ${group.id}) { ${selection} } }`,
  User: (selection) => `{ user(by: { id: ${owner} }) { ${selection} } }`,
  Issue: (selection) =>
    `{ project(id: ${project.id}) { issue(iid: ${busy.iid}) { ${selection} } } }`,
  MergeRequest: (selection) =>
    `{ project(id: ${project.id}) { mergeRequest(iid: ${busyMerge.iid}) { ${selection} } } }`,
  Milestone: (selection) =>
    `{ project(id: ${project.id}) { milestones(filter: { iids: [${milestoneIid}] }) {
      nodes { ${selection} } } } }`,
  Pipeline: (selection) =>
    `{ project(id: ${project.id}) { pipeline(id: ${busyPipeline.pipeline_id}) { ${selection} } } }`,
};

const graph = publicQueriesOn(databaseUrl, { git } as never);
afterAll(() => graph.close());

describe('no page of the graph scans a whole table', () => {
  const graphCases = Object.keys(parents)
    .flatMap((typeName) => listingCases(publicSchema, typeName, samples))
    .map(({ typeName, field, args }) => [typeName, field, args] as const);

  test.each(graphCases)('%s.%s with %s', async (typeName, field, args) => {
    const document = parents[typeName]?.(`${field}(${args}) { nodes { __typename } }`) ?? '';
    const { queries } = await graph.run(document, callers['an administrator'] ?? null);
    for (const { sql, values } of queries) {
      const plan = await planOf(sql, values);
      expectTablesNamed(sql, plan);
      expect([sql, scannedIn(plan)]).toEqual([sql, []]);
    }
  });
});
