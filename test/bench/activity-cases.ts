import { type Activity, createActivity } from './activity.ts';
import type { RequestCase } from './measure.ts';
import { mergeCase } from './merging.ts';
import type { World } from './world.ts';

const goal = { kind: 'least', value: 0.6 } as const;

/** The case that has no twin (wiki-edits.ts). */
export const wikiEdit = 'wiki-edit';

export const activityCaseNames = [
  ...['merge-requests', 'merge-requests-page-400', 'merge-requests-opened', 'merge-request'],
  ...['project-events', 'user-events', 'wiki-pages', 'wiki-page', wikiEdit],
  mergeCase,
] as const;

/** These read each of a hundred thousand rows, so that a response may take longer than a run. */
export const slowCaseNames: ReadonlySet<string> = new Set(['project-events', 'user-events']);

interface ActivityCases {
  readonly requests: readonly RequestCase[];
  readonly activity: Activity;
}

/** Merge requests, events and a wiki. */
export async function activityCases(world: World): Promise<ActivityCases> {
  const activity = await createActivity(world);
  const { projectId, iids, busy, developer, slugs } = activity;
  const headers = { 'Private-Token': developer.token };
  const project = `/projects/${projectId}`;
  const read = (name: string, ...paths: readonly string[]): RequestCase => ({
    urls: [world.service.url, world.twinUrl],
    name,
    goal,
    requests: paths.map((path) => ({ path: `/api/v4${path}`, headers })),
  });
  const requests = [
    read('merge-requests', `${project}/merge_requests?page=1&per_page=20`),
    read('merge-requests-page-400', `${project}/merge_requests?page=400&per_page=20`),
    read('merge-requests-opened', `${project}/merge_requests?state=opened&per_page=20`),
    read('merge-request', ...iids.map((iid) => `${project}/merge_requests/${iid}`)),
    read('project-events', `${project}/events?page=1&per_page=20`),
    read('user-events', `/users/${busy.id}/events?page=1&per_page=20`),
    read('wiki-pages', `${project}/wikis`),
    read('wiki-page', ...slugs.map((slug) => `${project}/wikis/${encodeURIComponent(slug)}`)),
  ];
  return { requests, activity };
}
