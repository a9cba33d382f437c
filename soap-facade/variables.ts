import type { Resource } from './kernel/resource.ts';

function variablesOf(kind: 'group' | 'project'): Resource {
  const all = `/${kind}s/:id/variables` as const;
  const one = `${all}/:key` as const;
  return {
    name: `${kind}_variable`,
    title: `Variables of ${kind}s`,
    noun: 'variable',
    methods: {
      list: { operation: `GET ${all}`, title: `List the variables of a ${kind}` },
      info: { operation: `GET ${one}`, title: `Show a variable of a ${kind}` },
      create: { operation: `POST ${all}`, title: `Create a variable of a ${kind}` },
      update: { operation: `PUT ${one}`, title: `Change a variable of a ${kind}` },
      delete: { operation: `DELETE ${one}`, title: `Delete a variable of a ${kind}` },
    },
  };
}

export const groupVariable = variablesOf('group');
export const projectVariable = variablesOf('project');
