import { administrator } from '../administration/policy.ts';
import { builder } from '../kernel/builder.ts';
import { discardDeadLetter } from './discard.ts';
import { retryDeadLetter } from './retry.ts';

const target = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the dead letter.' }),
}));

builder.mutationFields((t) => ({
  retryDeadLetter: t.id({
    description:
      'Runs a background job again that failed permanently, and deletes its dead letter. Requires an administrator.',
    extensions: { identifies: 'DeadLetter' },
    args: target,
    resolve: async (_root, { id }, ctx) => {
      administrator(ctx);
      await retryDeadLetter(id, ctx);
      return id;
    },
  }),
  deleteDeadLetter: t.id({
    description:
      'Deletes a dead letter without running its background job. Requires an administrator.',
    extensions: { identifies: 'DeadLetter' },
    args: target,
    resolve: async (_root, { id }, ctx) => {
      administrator(ctx);
      await discardDeadLetter(id, ctx);
      return id;
    },
  }),
}));
