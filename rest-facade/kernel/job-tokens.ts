import { finder } from './lookup.ts';
import type { Route } from './route.ts';

/** The project in the path of an endpoint that running jobs may call; null for other endpoints. */
export type JobsProject = (method: string, path: string) => string | null;

/** The endpoints that running jobs may call for their own project. */
export function jobsProject(routes: readonly Route[], prefix: string): JobsProject {
  const find = finder(
    routes.filter(({ isForJobs }) => isForJobs),
    prefix,
  );
  return (method, path) => find(method, path)?.params.id ?? null;
}
