import type { Resource } from './kernel/resource.ts';

function labelsOf(parent: 'group' | 'project', name: string): Resource {
  const all = `/${parent}s/:id/labels` as const;
  const one = `${all}/:label_id` as const;
  return {
    name,
    title: `Labels of ${parent}s`,
    description: 'A label is told by its id, or by its name.',
    noun: 'label',
    methods: {
      list: { operation: `GET ${all}`, title: `List the labels of a ${parent}` },
      info: { operation: `GET ${one}`, title: `Show a label of a ${parent}` },
      create: { operation: `POST ${all}`, title: `Create a label of a ${parent}` },
      update: { operation: `PUT ${one}`, title: `Change a label of a ${parent}` },
      delete: { operation: `DELETE ${one}`, title: `Delete a label of a ${parent}` },
      subscribe: {
        operation: `POST ${one}/subscribe`,
        title: `Subscribe to a label of a ${parent}`,
        description: 'Gives nothing where the caller is subscribed already.',
      },
      unsubscribe: {
        operation: `POST ${one}/unsubscribe`,
        title: `Unsubscribe from a label of a ${parent}`,
        description: 'Gives nothing where the caller is not subscribed.',
      },
    },
  };
}

export const groupLabel = labelsOf('group', 'group_label');
export const label = labelsOf('project', 'label');
