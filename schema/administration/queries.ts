import { builder } from '../kernel/builder.ts';
import { Admin } from './types.ts';

builder.queryField('admin', (t) =>
  t.field({
    type: Admin,
    nullable: true,
    description: 'What only administrators read; null for all other users.',
    resolve: (_root, _args, { viewer }) => (viewer?.isAdmin ? {} : null),
  }),
);
