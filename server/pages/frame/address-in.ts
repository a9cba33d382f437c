import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import type { Visit } from '../kernel/page.ts';

/** An address in a project: `addressIn(visit, project, 'tree', 'master', 'lib')`. */
export const addressIn = (
  visit: Visit,
  { fullPath }: { readonly fullPath: string },
  ...parts: readonly string[]
): string => visit.url(`/${encoded([fullPath, ...parts.filter(Boolean)].join('/'))}`);

/** An address in a group: `addressInGroup(visit, group, 'group_members')`. */
export const addressInGroup = (
  visit: Visit,
  { fullPath }: { readonly fullPath: string },
  ...parts: readonly string[]
): string => visit.url(`/groups/${encoded([fullPath, ...parts.filter(Boolean)].join('/'))}`);

interface MergedBranches {
  readonly source: string;
  readonly target: string;
  /** The full path of the target project; default: the project of the source branch. */
  readonly project?: string;
}

/** The form for a new merge request between two branches of a project. */
export const newMergeRequestAddress = (
  visit: Visit,
  project: { readonly fullPath: string },
  { source, target, project: path }: MergedBranches,
): string =>
  `${addressIn(visit, project, 'merge_requests', 'new')}?${new URLSearchParams({
    'merge_request[source_branch]': source,
    'merge_request[target_branch]': target,
    ...(path && { 'merge_request[target_project]': path }),
  })}`;
