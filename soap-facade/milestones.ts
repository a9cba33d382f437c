import type { Resource } from './kernel/resource.ts';

function milestonesOf(parent: 'group' | 'project', name: string): Resource {
  const all = `/${parent}s/:id/milestones` as const;
  const one = `${all}/:milestone_id` as const;
  return {
    name,
    title: `Milestones of ${parent}s`,
    noun: 'milestone',
    methods: {
      list: { operation: `GET ${all}`, title: `List the milestones of a ${parent}` },
      info: { operation: `GET ${one}`, title: `Show a milestone of a ${parent}` },
      create: { operation: `POST ${all}`, title: `Create a milestone of a ${parent}` },
      update: {
        operation: `PUT ${one}`,
        title: `Change a milestone of a ${parent}`,
        description: 'Closes or activates it, too: by state_event.',
      },
      delete: { operation: `DELETE ${one}`, title: `Delete a milestone of a ${parent}` },
      issues: {
        operation: `GET ${one}/issues`,
        title: `List the issues of a milestone of a ${parent}`,
      },
      merge_requests: {
        operation: `GET ${one}/merge_requests`,
        title: `List the merge requests of a milestone of a ${parent}`,
      },
    },
  };
}

export const groupMilestone = milestonesOf('group', 'group_milestone');
export const milestone = milestonesOf('project', 'milestone');
