import { graphql } from '../../../schema/client/graphql.ts';
import type { Owner } from '../frame/owner.ts';
import type { Visit } from '../kernel/page.ts';

const inProject = graphql(`query ProjectMilestoneRights($project: ID!) {
  project(id: $project) { access { canAdministerMilestones } }
}`);

const inGroup = graphql(`query GroupMilestoneRights($group: ID!) {
  group(id: $group) { canAdministerMilestones }
}`);

/** Whether the user may create, change and delete milestones of a project or group. */
export async function canAdministerMilestones(visit: Visit, { source }: Owner): Promise<boolean> {
  return 'project' in source
    ? (await visit.ask(inProject, source)).project.access.canAdministerMilestones
    : (await visit.ask(inGroup, source)).group.canAdministerMilestones;
}
