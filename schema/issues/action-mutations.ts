import { builder } from '../kernel/builder.ts';
import { reloadIssue } from './reload.ts';
import { type SubscriptionChange, setSubscribed } from './subscribe.ts';
import { addSpentTime, resetSpentTime, setTimeEstimate } from './time.ts';
import { Issue } from './types.ts';

const one = builder.args((t) => ({
  project: t.id({ required: true }),
  iid: t.int({ required: true }),
}));

const IssueSubscription = builder
  .objectRef<SubscriptionChange>('IssueSubscriptionChange')
  .implement({
    fields: (t) => ({
      hasChanged: t.exposeBoolean('hasChanged'),
      issue: t.prismaField({
        type: Issue,
        resolve: (query, { issueId }, _args, ctx) => reloadIssue(query, issueId, ctx),
      }),
    }),
  });

for (const [name, wanted] of [
  ['subscribeToIssue', true],
  ['unsubscribeFromIssue', false],
] as const) {
  builder.mutationField(name, (t) =>
    t.field({
      type: IssueSubscription,
      args: one,
      resolve: (_root, { project, iid }, ctx) => setSubscribed(project, iid, wanted, ctx),
    }),
  );
}

for (const [name, change] of [
  ['setIssueTimeEstimate', setTimeEstimate],
  ['addIssueSpentTime', addSpentTime],
] as const) {
  builder.mutationField(name, (t) =>
    t.prismaField({
      type: Issue,
      args: { ...one, duration: t.arg.string({ required: true }) },
      resolve: async (query, _root, { project, iid, duration }, ctx) =>
        reloadIssue(query, await change(project, iid, duration, ctx), ctx),
    }),
  );
}

builder.mutationField('resetIssueSpentTime', (t) =>
  t.prismaField({
    type: Issue,
    args: one,
    resolve: async (query, _root, { project, iid }, ctx) =>
      reloadIssue(query, await resetSpentTime(project, iid, ctx), ctx),
  }),
);
