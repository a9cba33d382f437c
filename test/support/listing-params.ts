/** The parameters of a listing, as its route parses them. */
export type Params = Readonly<Record<string, unknown>>;

export const bothDirections = (orders: readonly string[]): Params[] =>
  orders.flatMap((order_by) => ['asc', 'desc'].map((sort) => ({ order_by, sort })));

export const projectParams: readonly Params[] = [
  {},
  { page: 200 },
  { archived: true },
  { visibility: 'public' },
  { visibility: 'private' },
  { search: 'abcd1' },
  { owned: true },
  { membership: true },
  { starred: true },
  { with_issues_enabled: true },
  { with_merge_requests_enabled: true },
  { simple: true },
  { statistics: true },
  { id_after: 99_000, order_by: 'id', sort: 'asc' },
  { id_before: 1_000, order_by: 'id' },
  ...bothDirections(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at']),
];

export const groupParams: readonly Params[] = [
  {},
  { page: 200 },
  { search: 'group 777' },
  { skip_groups: [1, 2, 3] },
  { owned: true },
  { all_available: false },
  { statistics: true },
  ...bothDirections(['name', 'path']),
];

const instant = '2018-01-20T00:00:00Z';

/** For issues and merge requests; `owner` is a user with several of them. */
export const issueParams = (owner: number): readonly Params[] => [
  {},
  { page: 200 },
  { state: 'opened' },
  { state: 'closed', page: 200 },
  { labels: ['label 100'] },
  { labels: ['label 100', 'label 200'] },
  { labels: ['No Label'] },
  { milestone: 'milestone 300' },
  { milestone: 'No Milestone' },
  { milestone: 'Any Milestone' },
  { iids: [3, 6, 9] },
  { search: 'abcd1' },
  { author_id: owner },
  { assignee_id: owner },
  { assignee_id: 0 },
  { my_reaction_emoji: 'thumbsup' },
  { created_after: instant },
  { created_before: instant },
  { updated_after: instant },
  { updated_before: instant },
  { created_after: instant, created_before: '2018-01-21T00:00:00Z', order_by: 'updated_at' },
  { scope: 'created-by-me' },
  { scope: 'assigned-to-me' },
  ...bothDirections(['created_at', 'updated_at']),
];

export const mergeRequestParams = (owner: number): readonly Params[] => [
  ...issueParams(owner).filter(({ state }) => state !== 'closed'),
  { state: 'merged', page: 200 },
  { source_branch: 'branch-300' },
  { target_branch: 'other' },
  { view: 'simple' },
];

export const eventParams: readonly Params[] = [
  {},
  { page: 9 },
  { action: 'commented' },
  { action: 'expired' },
  { target_type: 'issue' },
  { before: '2017-02-01' },
  { after: '2018-01-01' },
  { sort: 'asc' },
];

export const labelParams: readonly Params[] = [{}, { page: 9 }, { search: 'label 77' }];

export const milestoneParams: readonly Params[] = [
  {},
  { page: 9 },
  { state: 'active' },
  { iids: [300, 600] },
  { search: 'stone 77' },
];

export const pipelineParams: readonly Params[] = [
  {},
  { page: 200 },
  ...['running', 'pending', 'finished', 'branches', 'tags'].map((scope) => ({ scope })),
  ...['success', 'failed', 'canceled', 'skipped', 'created', 'manual'].map((status) => ({
    status,
  })),
  { ref: 'branch-300' },
  { yaml_errors: true },
  { yaml_errors: false },
  { name: 'User 77' },
  { username: 'user77' },
  ...bothDirections(['id', 'status', 'ref', 'user_id']),
];

export const jobParams: readonly Params[] = [
  {},
  { page: 50 },
  { scope: ['success'] },
  { scope: ['running'] },
  { scope: ['failed', 'canceled'] },
];

export const noteParams: readonly Params[] = [
  { custom_attributes: { team: 'team 7' } },
  { custom_attributes: { team: 'team 7', floor: '3' }, order_by: 'name', sort: 'desc' },
];
