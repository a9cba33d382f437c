import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import { done } from '../kernel/results.ts';
import { administrator } from './policy.ts';
import { retryDeadLetter } from './retry.ts';

const target = builder.args((t) => ({ id: t.int({ required: true }) }));

builder.mutationFields((t) => ({
  retryDeadLetter: t.field({
    type: 'Boolean',
    description: 'Runs a background job that was given up once more; administrators.',
    args: target,
    resolve: async (_root, { id }, ctx) => {
      administrator(ctx);
      return done(retryDeadLetter(id, ctx));
    },
  }),
  discardDeadLetter: t.field({
    type: 'Boolean',
    description: 'Forgets a background job that was given up; administrators.',
    args: target,
    resolve: async (_root, { id }, ctx) => {
      administrator(ctx);
      const { count } = await ctx.db.deadLetter.deleteMany({ where: { id } });
      if (count === 0) throw notFound('Dead letter');
      return true;
    },
  }),
}));
