import { builder } from '../kernel/builder.ts';

/** The direction of the order of every listing. */
export const SortDirection = builder.enumType('SortDirection', {
  description: 'The direction of an order.',
  values: {
    asc: { description: 'Smallest, oldest or first in the alphabet first.' },
    desc: { description: 'Largest, newest or last in the alphabet first.' },
  } as const,
});
