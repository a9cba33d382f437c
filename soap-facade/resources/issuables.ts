import type { Methods, Path } from '../kernel/resource.ts';

/** The methods to subscribe and unsubscribe. */
export const subscription = (path: Path, thing: string): Methods => ({
  subscribe: [
    `POST ${path}/subscribe`,
    `Subscribe to ${thing}`,
    'Returns nothing if the current user is already subscribed.',
  ],
  unsubscribe: [
    `POST ${path}/unsubscribe`,
    `Unsubscribe from ${thing}`,
    'Returns nothing if the current user is not subscribed.',
  ],
});

/** The lists of issues or merge requests: the caller's, those of a group and those of a project. */
export const issuableLists = (name: 'issues' | 'merge_requests', things: string): Methods => ({
  list: [`GET /${name}`, `List the current user's ${things}`],
  list_of_group: [`GET /groups/:id/${name}`, `List the ${things} of a group`],
  list_of_project: [`GET /projects/:id/${name}`, `List the ${things} of a project`],
});

/** Time tracking of issues and merge requests. */
export const timeTracking = (path: Path, thing: string): Methods => ({
  time_stats: [`GET ${path}/time_stats`, `Show the time spent on ${thing}`],
  time_estimate: [`POST ${path}/time_estimate`, `Set the time estimate of ${thing}`],
  reset_time_estimate: [`POST ${path}/reset_time_estimate`, `Reset the time estimate of ${thing}`],
  add_spent_time: [`POST ${path}/add_spent_time`, `Add to the time spent on ${thing}`],
  reset_spent_time: [`POST ${path}/reset_spent_time`, `Reset the time spent on ${thing}`],
});
