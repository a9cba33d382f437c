import { collection, type Resource } from '../kernel/resource.ts';

function milestonesOf(parent: 'group' | 'project', name: string): Resource {
  const all = `/${parent}s/:id/milestones` as const;
  const path = `${all}/:milestone_id` as const;
  const thing = `a milestone of a ${parent}`;
  return {
    name,
    title: `Milestones of ${parent}s`,
    noun: 'milestone',
    methods: {
      ...collection(all, ':milestone_id', 'milestone', `a ${parent}`),
      update: [`PUT ${path}`, `Update ${thing}`, 'Also closes or activates it, by state_event.'],
      issues: [`GET ${path}/issues`, `List the issues of ${thing}`],
      merge_requests: [`GET ${path}/merge_requests`, `List the merge requests of ${thing}`],
    },
  };
}

export const groupMilestone = milestonesOf('group', 'group_milestone');
export const milestone = milestonesOf('project', 'milestone');
