import type { Resource } from './kernel/resource.ts';

function membersOf(kind: 'group' | 'project'): Resource {
  const all = `/${kind}s/:id/members` as const;
  const one = `${all}/:user_id` as const;
  return {
    name: `${kind}_member`,
    title: `Members of ${kind}s`,
    noun: 'member',
    methods: {
      list: { operation: `GET ${all}`, title: `List the members of a ${kind}` },
      info: { operation: `GET ${one}`, title: `Show a member of a ${kind}` },
      create: { operation: `POST ${all}`, title: `Add a member to a ${kind}` },
      update: { operation: `PUT ${one}`, title: `Change the access of a member of a ${kind}` },
      delete: { operation: `DELETE ${one}`, title: `Remove a member of a ${kind}` },
    },
  };
}

export const groupMember = membersOf('group');
export const projectMember = membersOf('project');
