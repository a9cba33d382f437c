import type { Resource } from './kernel/resource.ts';

function attributesOf(kind: 'user' | 'group' | 'project', name: string): Resource {
  const all = `/${kind}s/:id/custom_attributes` as const;
  const one = `${all}/:key` as const;
  return {
    name,
    title: `Custom attributes of ${kind}s`,
    noun: 'attribute',
    methods: {
      list: { operation: `GET ${all}`, title: `List the attributes of a ${kind}` },
      info: { operation: `GET ${one}`, title: `Show an attribute of a ${kind}` },
      update: {
        operation: `PUT ${one}`,
        title: `Set an attribute of a ${kind}`,
        description: 'It is created where it is not there.',
      },
      delete: { operation: `DELETE ${one}`, title: `Delete an attribute of a ${kind}` },
    },
  };
}

/** Those of users have the name that the specification gives them. */
export const customAttribute = attributesOf('user', 'custom_attribute');
export const groupCustomAttribute = attributesOf('group', 'group_custom_attribute');
export const projectCustomAttribute = attributesOf('project', 'project_custom_attribute');
