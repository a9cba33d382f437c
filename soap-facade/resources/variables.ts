import { collection, type Resource } from '../kernel/resource.ts';

const variablesOf = (kind: 'group' | 'project'): Resource => ({
  name: `${kind}_variable`,
  title: `Variables of ${kind}s`,
  noun: 'variable',
  methods: collection(`/${kind}s/:id/variables`, ':key', 'variable', `a ${kind}`),
});

export const groupVariable = variablesOf('group');
export const projectVariable = variablesOf('project');
