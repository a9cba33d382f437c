import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

interface Branches {
  readonly source: string;
  readonly target: string;
  /** The full path of the target project; default: the project of the source branch. */
  readonly project?: string;
}

/** The form for a new merge request between two branches of a project. */
export const newMergeRequestAddress = (
  visit: Visit,
  project: Pick<Project, 'fullPath'>,
  { source, target, project: path }: Branches,
): string =>
  `${addressIn(visit, project, 'merge_requests', 'new')}?${new URLSearchParams({
    'merge_request[source_branch]': source,
    'merge_request[target_branch]': target,
    ...(path && { 'merge_request[target_project]': path }),
  })}`;
