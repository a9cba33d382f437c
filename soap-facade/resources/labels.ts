import { collection, type Resource } from '../kernel/resource.ts';
import { subscription } from './issuables.ts';

function labelsOf(parent: 'group' | 'project', name: string): Resource {
  const all = `/${parent}s/:id/labels` as const;
  return {
    name,
    title: `Labels of ${parent}s`,
    description: 'A label is identified by its id or its name.',
    noun: 'label',
    methods: {
      ...collection(all, ':label_id', 'label', `a ${parent}`),
      ...subscription(`${all}/:label_id`, `a label of a ${parent}`),
    },
  };
}

export const groupLabel = labelsOf('group', 'group_label');
export const label = labelsOf('project', 'label');
