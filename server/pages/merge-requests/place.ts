import type { DiscussionPlace, Noteable } from '../discussions/place.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';
import { mergeRequestAddress } from './head.ts';

/** The discussion of a merge request on one of its pages: `diffs`, or the merge request's own. */
export const placeOf = (
  visit: Visit,
  project: Project,
  iid: number,
  part: 'diffs' | '' = '',
): DiscussionPlace & { readonly subject: Noteable } => ({
  subject: { mergeRequest: { project: String(project.id), iid } },
  project,
  address: mergeRequestAddress(visit, project, iid, part),
  section: 'merge_requests',
  name: `!${iid}`,
});
