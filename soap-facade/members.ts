import { collection, type Resource } from './kernel/resource.ts';

const membersOf = (kind: 'group' | 'project'): Resource => ({
  name: `${kind}_member`,
  title: `Members of ${kind}s`,
  noun: 'member',
  methods: collection(`/${kind}s/:id/members`, ':user_id', 'member', `a ${kind}`),
});

export const groupMember = membersOf('group');
export const projectMember = membersOf('project');
