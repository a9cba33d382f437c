import type { ScaleTargets } from './scale-fill.ts';

/** A listing with one filter or order. */
export interface ScaleCase {
  /** The path with placeholders, and the query. */
  readonly name: string;
  readonly pathOf: (targets: ScaleTargets) => string;
  /** Deep pages and searches of text, whose goal is less strict. */
  readonly isCostly: boolean;
  readonly callers: readonly ScaleCaller[];
}

export type ScaleCaller = 'admin' | 'member' | 'anonymous';

const signedIn: readonly ScaleCaller[] = ['admin', 'member'];
const all: readonly ScaleCaller[] = [...signedIn, 'anonymous'];

const issueQueries = [
  ...['', 'page=1000', 'state=opened', 'order_by=updated_at&sort=asc', 'labels=label+1'],
  ...[
    'labels=label+1,label+2',
    'labels=No+Label',
    'milestone=milestone+1',
    'milestone=No+Milestone',
  ],
  ...['search=is', 'search=part', 'assignee_id=0', 'author_id=:user', 'created_after=2017-06-01'],
];

const projectQueries = [
  ...['', 'page=1000', 'search=be', 'search=harbor', 'visibility=public', 'membership=true'],
  ...['order_by=name&sort=asc', 'order_by=last_activity_at', 'simple=true'],
];

const eventQueries = ['', 'page=1000', 'action=closed', 'target_type=issue', 'sort=asc'];

/** Each listing of rows, none of which is of a repository, with its queries and the callers that may read it. */
const listings: readonly (readonly [string, readonly string[], readonly ScaleCaller[]])[] = [
  ['/projects', projectQueries, all],
  ['/groups/:group/projects', ['', 'search=be'], all],
  ['/users/:user/projects', [''], all],
  ['/groups', ['', 'search=team', 'order_by=path'], all],
  ['/namespaces', ['', 'search=team'], signedIn],
  ['/users', ['', 'search=larsen'], signedIn],
  ['/projects/:project/users', [''], all],
  ['/projects/:project/members', ['', 'query=larsen'], signedIn],
  ['/groups/:group/members', [''], signedIn],
  ['/issues', issueQueries.map((query) => `scope=all${query && `&${query}`}`), signedIn],
  ['/groups/:group/issues', issueQueries, signedIn],
  ['/projects/:project/issues', issueQueries, signedIn],
  ['/projects/:project/issues/:issueIid/notes', ['', 'page=50', 'sort=asc'], signedIn],
  ['/projects/:project/issues/:issueIid/participants', [''], signedIn],
  ['/projects/:project/milestones/:milestone/issues', ['', 'page=9'], signedIn],
  ['/projects/:project/labels', ['', 'search=label'], signedIn],
  ['/projects/:project/milestones', ['', 'state=active'], signedIn],
  ['/projects/:project/boards', [''], signedIn],
  ['/events', eventQueries, signedIn],
  ['/users/:user/events', eventQueries, all],
  ['/projects/:project/events', eventQueries, all],
  [
    '/projects/:project/pipelines',
    ['', 'page=200', 'status=failed', 'ref=branch-4', 'order_by=ref'],
    signedIn,
  ],
  ['/projects/:project/pipelines/:pipeline/jobs', [''], signedIn],
  ['/projects/:project/jobs', ['', 'scope=failed', 'page=200'], signedIn],
];

const isCostly = (query: string) => /page=|search=/.test(query);

const placeholder = /:(project|group|issueIid|milestone|pipeline|user)/g;

/** Every listing with each of its queries. */
export const scaleCases: readonly ScaleCase[] = listings.flatMap(([path, queries, callers]) =>
  queries.map((query) => {
    const name = query ? `${path}?${query}` : path;
    return {
      name,
      callers,
      isCostly: isCostly(query),
      pathOf: (targets) =>
        `/api/v4${name.replace(placeholder, (_, key: keyof ScaleTargets) => String(targets[key]))}`,
    };
  }),
);
