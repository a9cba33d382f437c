import type { Method } from './kernel/resource.ts';

/** Time tracking: the same methods for issues and merge requests. */
export const timeTracking = (
  one: `/${string}`,
  thing: string,
): Readonly<Record<string, Method>> => ({
  time_stats: { operation: `GET ${one}/time_stats`, title: `Show the time spent on ${thing}` },
  time_estimate: {
    operation: `POST ${one}/time_estimate`,
    title: `Estimate the time for ${thing}`,
  },
  reset_time_estimate: {
    operation: `POST ${one}/reset_time_estimate`,
    title: `Take back what was estimated for ${thing}`,
  },
  add_spent_time: {
    operation: `POST ${one}/add_spent_time`,
    title: `Add to the time spent on ${thing}`,
  },
  reset_spent_time: {
    operation: `POST ${one}/reset_spent_time`,
    title: `Take back the time spent on ${thing}`,
  },
});
