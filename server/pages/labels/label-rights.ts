import { graphql } from '../../../schema/client/graphql.ts';
import type { Owner } from '../frame/owner.ts';
import type { Visit } from '../kernel/page.ts';

const inProject = graphql(`query ProjectLabelRights($project: ID!) {
  project(id: $project) { access { canAdministerLabels } }
}`);

const inGroup = graphql(`query GroupLabelRights($group: ID!) {
  group(id: $group) { canAdministerLabels }
}`);

/** Whether the user may create, change and delete labels of a project or group. */
export async function canAdministerLabels(visit: Visit, { source }: Owner): Promise<boolean> {
  return 'project' in source
    ? (await visit.ask(inProject, source)).project.access.canAdministerLabels
    : (await visit.ask(inGroup, source)).group.canAdministerLabels;
}
