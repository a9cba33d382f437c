import { collection, type Resource } from '../kernel/resource.ts';

const membersOf = (kind: 'group' | 'project'): Resource => ({
  name: `${kind}_member`,
  title: `Members of ${kind}s`,
  noun: 'member',
  methods: {
    ...collection(`/${kind}s/:id/members`, ':user_id', 'member', `a ${kind}`),
    list_all: [
      `GET /${kind}s/:id/members/all`,
      `List the members of a ${kind} and of the groups above it`,
    ],
    info_all: [
      `GET /${kind}s/:id/members/all/:user_id`,
      `Show a member of a ${kind} or of a group above it`,
    ],
  },
});

export const groupMember = membersOf('group');
export const projectMember = membersOf('project');
