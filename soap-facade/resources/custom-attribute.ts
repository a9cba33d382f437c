import { collection, type Resource } from '../kernel/resource.ts';

function attributesOf(kind: 'user' | 'group' | 'project', name: string): Resource {
  const all = `/${kind}s/:id/custom_attributes` as const;
  return {
    name,
    title: `Custom attributes of ${kind}s`,
    noun: 'attribute',
    methods: {
      ...collection(all, ':key', 'custom attribute', `a ${kind}`, 'create'),
      update: [
        `PUT ${all}/:key`,
        `Set a custom attribute of a ${kind}`,
        'Creates the attribute if it does not exist.',
      ],
    },
  };
}

/** The specification names those of users without `user_`. */
export const customAttribute = attributesOf('user', 'custom_attribute');
export const groupCustomAttribute = attributesOf('group', 'group_custom_attribute');
export const projectCustomAttribute = attributesOf('project', 'project_custom_attribute');
