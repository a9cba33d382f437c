import { afterAll, describe, expect, test } from 'vitest';
import { viewerOf } from '../../schema/sessions/viewer.ts';
import { growingWorld, rowCount } from '../support/growing-world.ts';
import { listingPaths, listingsOn } from '../support/listings.ts';
import type { TestUser } from '../support/seed.ts';

const rows = await growingWorld();
const { plain, databaseUrl, root, ada, group, project, sha, first, pipelineId, runnerId } = rows;
const { issue, mergeRequest, snippet, firstMerge, firstSnippet, git, grow } = rows;
const listings = listingsOn(databaseUrl, git);
afterAll(() => listings.close());

/** The SQL statements for one page of `path`, and its number of rows. */
async function listing(path: string, user: TestUser | null, params: object) {
  const viewer = user && (await viewerOf(plain, user.id));
  const { rows, queries } = await listings.list(path, viewer, { perPage: 100, ...params });
  return { statements: queries.map(({ sql }) => shortened(sql)).toSorted(), rows: rows.length };
}

/** A short form such as `read projects`, which names the additional statement in a failure. */
const shortened = (statement: string) => {
  const [, outer, first] =
    /FROM "public"\."(\w+)" AS "t0"|FROM "public"\."(\w+)"/.exec(statement) ?? [];
  return `${statement.startsWith('SELECT COUNT') ? 'count' : 'read'} ${outer ?? first}`;
};

/**
 * The maximum number of statements: a page's ids, its rows and the total, plus one for the parent
 * record. One more each for: the statistics of a page, the sources of forks, the caller's own account
 * among users, the project of an issue with participants, the second count of labels, the numbers
 * of the subjects of events, and whether a user may see the jobs among statuses. Notes have two: their threads, and who resolved them. A release has five: its details, author, milestones, links and addresses.
 */
const maxStatements = (path: string, params: object) =>
  3 +
  (/:(user_)?id/.test(path) ? 1 : 0) +
  (path === '/namespaces' || path === '/users' ? 1 : 0) +
  (path.endsWith('/labels') ? 1 : 0) +
  (path.endsWith('/statuses') ? 1 : 0) +
  (path.endsWith('/events') ? 1 : 0) +
  (/(notes|discussions)$/.test(path) || ('scope' in params && params.scope === 'notes') ? 2 : 0) +
  (path.endsWith('/releases') ? 5 : 0) +
  ('statistics' in params || path.endsWith('/participants') ? 1 : 0) +
  (/^\/projects$|forks$|user_id\/projects$/.test(path) ? 1 : 0);

const listingParams: readonly (readonly [string, object])[] = [
  ['/projects', {}],
  ['/projects', { statistics: true }],
  ['/projects', { simple: true, search: 'p' }],
  ['/projects', { membership: true }],
  ['/groups', {}],
  ['/groups', { statistics: true }],
  ['/groups/:id/subgroups', { id: String(group.id), statistics: true }],
  ['/namespaces', {}],
  ['/projects/:id/forks', { id: String(project.id) }],
  ['/groups/:id/projects', { id: String(group.id) }],
  ['/users/:user_id/projects', { user_id: 'ada' }],
  ['/projects/:id/users', { id: String(project.id) }],
  ['/groups/:id/members', { id: String(group.id) }],
  ['/projects/:id/members', { id: String(project.id) }],
  ['/groups/:id/members/all', { id: String(group.id) }],
  ['/projects/:id/members/all', { id: String(project.id) }],
  ['/projects/:id/releases', { id: String(project.id), orderBy: 'releasedAt' }],
  ['/projects/:id/releases/:tag_name/assets/links', { id: String(project.id), tag_name: 'v0' }],
  ['/projects/:id/protected_branches', { id: String(project.id) }],
  ['/projects/:id/protected_tags', { id: String(project.id) }],
  ['/projects/:id/repository/commits/:sha/comments', { id: String(project.id), sha }],
  ['/projects/:id/repository/commits/:sha/discussions', { id: String(project.id), sha }],
  ['/projects/:id/repository/commits/:sha/merge_requests', { id: String(project.id), sha }],
  ['/projects/:id/repository/commits/:sha/statuses', { id: String(project.id), sha }],
  ['/projects/:id/repository/commits/:sha/statuses', { id: String(project.id), sha, all: true }],
  ['/issues', { scope: 'all' }],
  ['/issues', { scope: 'assigned-to-me', search: 'issue' }],
  ['/groups/:id/issues', { id: String(group.id) }],
  ['/projects/:id/issues', { id: String(project.id) }],
  ['/projects/:id/issues', { id: String(project.id), state: 'opened' }],
  ['/projects/:id/issues/:issue_iid/participants', issue],
  ['/projects/:id/issues/:issue_iid/closed_by', issue],
  ['/projects/:id/issues/:issue_iid/related_merge_requests', issue],
  ['/projects/:id/issues/:issue_iid/notes', issue],
  ['/projects/:id/issues/:issue_iid/discussions', issue],
  ['/projects/:id/issues/:issue_iid/award_emoji', issue],
  [
    '/projects/:id/issues/:issue_iid/notes/:note_id/award_emoji',
    { ...issue, note_id: first.noteId },
  ],
  ['/merge_requests', { scope: 'all' }],
  ['/merge_requests', { scope: 'all', search: 'request' }],
  ['/groups/:id/merge_requests', { id: String(group.id) }],
  ['/projects/:id/merge_requests', { id: String(project.id) }],
  ['/projects/:id/merge_requests/:merge_request_iid/participants', mergeRequest],
  ['/projects/:id/merge_requests/:merge_request_iid/pipelines', mergeRequest],
  ['/projects/:id/merge_requests/:merge_request_iid/versions', mergeRequest],
  ['/projects/:id/merge_requests/:merge_request_iid/closes_issues', mergeRequest],
  ['/projects/:id/merge_requests/:merge_request_iid/notes', mergeRequest],
  ['/projects/:id/merge_requests/:merge_request_iid/discussions', mergeRequest],
  ['/projects/:id/merge_requests/:merge_request_iid/award_emoji', mergeRequest],
  [
    '/projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji',
    { ...mergeRequest, note_id: firstMerge.noteId },
  ],
  ['/projects/:id/snippets', { id: String(project.id) }],
  ['/snippets', {}],
  ['/snippets/public', {}],
  ['/projects/:id/snippets/:snippet_id/notes', snippet],
  ['/projects/:id/snippets/:snippet_id/discussions', snippet],
  ['/projects/:id/snippets/:snippet_id/award_emoji', snippet],
  [
    '/projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji',
    { ...snippet, note_id: firstSnippet.noteId },
  ],
  ['/user/keys', {}],
  ['/users/:id/keys', { id: ada.id }],
  ['/deploy_keys', {}],
  ['/projects/:id/deploy_keys', { id: String(project.id) }],
  ['/todos', {}],
  ['/todos', { state: 'pending', type: 'Issue' }],
  ['/events', {}],
  ['/users/:id/events', { id: 'ada' }],
  ['/projects/:id/events', { id: String(project.id) }],
  ['/projects/:id/events', { id: String(project.id), action: 'commented' }],
  ['/hooks', {}],
  ['/projects/:id/hooks', { id: String(project.id) }],
  ['/projects/:id/boards', { id: String(project.id) }],
  ['/projects/:id/boards/:board_id/lists', { id: String(project.id), board_id: first.boardId }],
  ...(['projects', 'groups'] as const).flatMap((parent) => {
    const ofProject = parent === 'projects';
    const id = String((ofProject ? project : group).id);
    const milestone_id = ofProject ? first.projectMilestoneId : first.groupMilestoneId;
    return [
      [`/${parent}/:id/labels`, { id }],
      [`/${parent}/:id/milestones`, { id }],
      [`/${parent}/:id/milestones/:milestone_id/issues`, { id, milestone_id }],
      [`/${parent}/:id/milestones/:milestone_id/merge_requests`, { id, milestone_id }],
      [`/${parent}/:id/access_requests`, { id }],
      [`/${parent}/:id/variables`, { id }],
    ] as const;
  }),
  ['/search', { scope: 'issues', search: 'issue' }],
  ['/search', { scope: 'merge_requests', search: 'request' }],
  ['/search', { scope: 'users', search: 'person' }],
  ...['/groups/:id', '/groups/:id/-'].map(
    (parent) =>
      [`${parent}/search`, { id: String(group.id), scope: 'issues', search: 'issue' }] as const,
  ),
  ['/groups/:id/search', { id: String(group.id), scope: 'milestones', search: 'MILESTONE' }],
  ['/projects/:id/search', { id: String(project.id), scope: 'notes', search: 'note' }],
  ...['/projects/:id', '/projects/:id/-'].map(
    (parent) =>
      [`${parent}/search`, { id: String(project.id), scope: 'issues', search: 'issue' }] as const,
  ),
  ['/runners', {}],
  ['/runners/all', { scope: 'active' }],
  ['/projects/:id/runners', { id: String(project.id) }],
  ['/projects/:id/pipelines', { id: String(project.id) }],
  ['/projects/:id/pipelines', { id: String(project.id), name: 'Ada', order_by: 'status' }],
  [
    '/projects/:id/pipelines/:pipeline_id/jobs',
    { id: String(project.id), pipeline_id: pipelineId },
  ],
  ['/projects/:id/jobs', { id: String(project.id) }],
  ['/projects/:id/jobs', { id: String(project.id), scope: ['success', 'failed'] }],
  ['/runners/:id/jobs', { id: runnerId, status: 'success' }],
  ['/projects/:id/triggers', { id: String(project.id) }],
  ['/projects/:id/environments', { id: String(project.id) }],
  ['/projects/:id/deployments', { id: String(project.id) }],
  ['/projects/:id/pipeline_schedules', { id: String(project.id), scope: 'active' }],
  ['/users', {}],
  ['/users', { search: 'person' }],
  ['/user/emails', {}],
  ['/users/:id/emails', { id: ada.id }],
  ['/user/activities', {}],
  ['/users/:id/impersonation_tokens', { id: ada.id }],
];
/** The number of rows where it is limited: a project has one board. */
const minRows: Readonly<Record<string, number>> = {
  '/projects/:id/boards': 1,
};
const callers = { anonymous: null, ada, root } as const;
const cases = listingParams.flatMap(([path, params]) =>
  (Object.keys(callers) as (keyof typeof callers)[])
    .filter(
      (caller) =>
        caller !== 'anonymous' ||
        !(
          /members|protected|statuses|^\/users?$|emails|activities|tokens|namespaces/.test(path) ||
          /search|issues|boards|labels|milestones|access_requests|variables|snippets|keys/.test(
            path,
          ) ||
          /merge_requests|hooks|runners|pipelines|jobs|triggers|schedules|environments|deployments|^\/events|^\/todos/.test(
            path,
          ) ||
          'membership' in params
        ),
    )
    .filter(
      (caller) =>
        caller === 'root' || !/activities|tokens|^\/deploy_keys|^\/hooks|runners\/all/.test(path),
    )
    .map((caller) => [path, params, caller] as const),
);

describe('a listing sends the same number of queries for fifty rows as for one', async () => {
  const before = new Map<string, Awaited<ReturnType<typeof listing>>>();
  const keyOf = (...parts: (typeof cases)[number]) => JSON.stringify(parts);
  for (const [path, params, caller] of cases) {
    // the first request fills caches
    await listing(path, callers[caller], params);
    before.set(keyOf(path, params, caller), await listing(path, callers[caller], params));
  }
  await grow();

  test.each(cases)('%s %o by %s', async (path, params, caller) => {
    const small = before.get(keyOf(path, params, caller));
    const large = await listing(path, callers[caller], params);
    expect(large.rows).toBeGreaterThanOrEqual(minRows[path] ?? rowCount);
    expect(small?.rows).toBeLessThan(rowCount);
    expect(large.statements).toEqual(small?.statements);
    expect(large.statements.length).toBeLessThanOrEqual(maxStatements(path, params));
  });

  test('every listing of records is covered', () => {
    const covered = new Set(listingParams.map(([path]) => path));
    expect(listingPaths.filter((path) => !covered.has(path)).toSorted()).toEqual([
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
