import { builder } from '../kernel/builder.ts';
import { reloadMergeRequest } from './reload.ts';
import { type SubscriptionChange, setSubscribed } from './subscribe.ts';
import { addSpentTime, resetSpentTime, setTimeEstimate } from './time.ts';
import { MergeRequest } from './types.ts';

const one = builder.args((t) => ({
  project: t.id({ required: true }),
  iid: t.int({ required: true }),
}));

const MergeRequestSubscription = builder
  .objectRef<SubscriptionChange>('MergeRequestSubscriptionChange')
  .implement({
    fields: (t) => ({
      hasChanged: t.exposeBoolean('hasChanged'),
      mergeRequest: t.prismaField({
        type: MergeRequest,
        resolve: (query, { mergeRequestId }, _args, ctx) =>
          reloadMergeRequest(query, mergeRequestId, ctx),
      }),
    }),
  });

for (const [name, wanted] of [
  ['subscribeToMergeRequest', true],
  ['unsubscribeFromMergeRequest', false],
] as const) {
  builder.mutationField(name, (t) =>
    t.field({
      type: MergeRequestSubscription,
      args: one,
      resolve: (_root, { project, iid }, ctx) => setSubscribed(project, iid, wanted, ctx),
    }),
  );
}

for (const [name, change] of [
  ['setMergeRequestTimeEstimate', setTimeEstimate],
  ['addMergeRequestSpentTime', addSpentTime],
] as const) {
  builder.mutationField(name, (t) =>
    t.prismaField({
      type: MergeRequest,
      args: { ...one, duration: t.arg.string({ required: true }) },
      resolve: async (query, _root, { project, iid, duration }, ctx) =>
        reloadMergeRequest(query, await change(project, iid, duration, ctx), ctx),
    }),
  );
}

builder.mutationField('resetMergeRequestSpentTime', (t) =>
  t.prismaField({
    type: MergeRequest,
    args: one,
    resolve: async (query, _root, { project, iid }, ctx) =>
      reloadMergeRequest(query, await resetSpentTime(project, iid, ctx), ctx),
  }),
);
