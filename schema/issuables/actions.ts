import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal, type PublicExtensions } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { clientNameOf, storedRecord } from '../listing/records.ts';
import { iidArgs } from './fields.ts';
import type { IssuableKind } from './kinds.ts';
import { type SubscriptionChange, setSubscribed, subscriptionsTo } from './subscriptions.ts';
import { type TimeChange, timeEstimated, timeReset, timeSpent } from './time-changes.ts';

type Types = typeof builder.$inferSchemaTypes;
type IssueModel = Types['PrismaTypes']['Issue'];

interface Actions<Model extends PrismaModelTypes, Row extends object> {
  readonly kind: IssuableKind;
  /** The `extensions` of fields with the arguments `iidArgs`. */
  readonly extensions: PublicExtensions;
  readonly type: PrismaObjectRef<Types, Model, Row>;
  readonly find: (project: string, iid: number, ctx: Context) => Promise<{ readonly id: number }>;
  /** Gives the id; `changeOf` throws if the duration is invalid. */
  readonly changeTime: (
    project: string,
    iid: number,
    changeOf: () => TimeChange,
    ctx: Context,
  ) => Promise<number>;
}

const durationArgs = builder.args((t) => ({
  duration: t.string({
    required: true,
    description:
      'A working time such as `3h30m`. A month has 4 weeks, a week 5 days, a day 8 hours.',
  }),
}));

/** Adds the mutations of subscriptions and tracked time. */
export function addIssuableActions<Model extends PrismaModelTypes, Row extends object>(
  actions: Actions<Model, Row>,
): void {
  // the plugin infers a model's types only from a concrete model
  const { kind, extensions, type, find, changeTime } = actions as unknown as Actions<
    IssueModel,
    IssueModel['Shape']
  >;
  const { name, inText: the } = kind;
  const isSubscribed = subscriptionsTo(kind);
  const model = clientNameOf(name) as 'issue';

  const Subscription = builder
    .objectRef<SubscriptionChange>(`${name}SubscriptionChange`)
    .implement({
      description: 'The result of subscribing or unsubscribing.',
      extensions: { isPayload: true },
      fields: (t) => ({
        hasChanged: t.exposeBoolean('hasChanged', { extensions: internal }),
        [name === 'Issue' ? 'issue' : 'mergeRequest']: t.prismaField({
          type,
          description: `The ${name === 'Issue' ? 'issue' : 'merge request'} as it is now.`,
          resolve: (query, { id }, _args, ctx) => storedRecord(ctx, model, id, query),
        }),
      }),
    });

  for (const [field, isWanted] of [
    [`subscribeTo${name}`, true],
    [`unsubscribeFrom${name}`, false],
  ] as const) {
    builder.mutationField(field, (t) =>
      t.field({
        type: Subscription,
        extensions,
        description: isWanted
          ? `Notifies the current user of changes of ${the}. All users who see it may.`
          : `Stops notifying the current user of changes of ${the}.`,
        args: iidArgs,
        resolve: async (_root, { project, iid }, ctx) => {
          const viewer = signedIn(ctx);
          const { id } = await find(project, iid, ctx);
          return (await isSubscribed(id, ctx)) === isWanted
            ? { id, hasChanged: false }
            : setSubscribed(kind, id, { userId: viewer.id, isSubscribed: isWanted }, ctx);
        },
      }),
    );
  }

  for (const [field, changeBy, description] of [
    [
      `set${name}TimeEstimate`,
      timeEstimated,
      `Sets the estimated working time of ${the}. ${kind.trackers}`,
    ],
    [
      `add${name}SpentTime`,
      timeSpent,
      `Records working time for ${the}; a negative duration subtracts. ${kind.trackers}`,
    ],
  ] as const) {
    builder.mutationField(field, (t) =>
      t.prismaField({
        type,
        extensions,
        description,
        args: { ...iidArgs, ...durationArgs },
        resolve: async (query, _root, { project, iid, duration }, ctx) =>
          storedRecord(
            ctx,
            model,
            await changeTime(project, iid, () => changeBy(duration), ctx),
            query,
          ),
      }),
    );
  }

  builder.mutationField(`reset${name}SpentTime`, (t) =>
    t.prismaField({
      type,
      extensions,
      description: `Sets the recorded working time of ${the} to 0. ${kind.trackers}`,
      args: iidArgs,
      resolve: async (query, _root, { project, iid }, ctx) =>
        storedRecord(ctx, model, await changeTime(project, iid, () => timeReset, ctx), query),
    }),
  );
}
