import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { textCost } from '../kernel/cost.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Milestone } from '../milestones/types.ts';
import { usersWithIds } from '../users/among.ts';
import { UserPage } from '../users/types.ts';
import type { IssuableKind } from './kinds.ts';
import { type SubscriptionChange, setSubscribed, subscriptionsTo } from './subscriptions.ts';
import { type TimeChange, timeEstimated, timeReset, timeSpent } from './time-changes.ts';

type Types = typeof builder.$inferSchemaTypes;

interface Actions<Model extends PrismaModelTypes, Row extends object> {
  readonly kind: IssuableKind;
  readonly type: PrismaObjectRef<Types, Model, Row>;
  readonly find: (project: string, iid: number, ctx: Context) => Promise<{ readonly id: number }>;
  /** Reads a row that was written just now; `query` is Prisma's. */
  readonly reload: (query: object, id: number, ctx: Context) => Promise<Row>;
  /** Gives the id; `changeOf` throws if the duration is invalid. */
  readonly changeTime: (
    project: string,
    iid: number,
    changeOf: () => TimeChange,
    ctx: Context,
  ) => Promise<number>;
}

/** A project by id or full path, and a number within it. */
export const iidArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The id or full path of the project.' }),
  iid: t.int({ required: true, description: 'The number within the project.' }),
}));

const durationArgs = builder.args((t) => ({
  duration: t.string({
    required: true,
    description:
      'A duration such as `3h30m`; the units are mo, w, d, h and m, with weeks of 5 days and days of 8 hours. Spent time may be negative.',
  }),
}));

type IssueModel = Types['PrismaTypes']['Issue'];

/** What both types include in every query. */
interface Included {
  readonly text: { readonly title: string; readonly description: string | null } | null;
  readonly project: { readonly fullPath: string };
}

/** Adds the fields that both types have, and the mutations of subscriptions and tracked time. */
export function addIssuableFields<Model extends PrismaModelTypes, Row extends object>(
  actions: Actions<Model, Row>,
): void {
  // the plugin infers a model's types only from a concrete model
  const { kind, type, find, reload, changeTime } = actions as unknown as Actions<
    IssueModel,
    IssueModel['Shape'] & Included
  >;
  const { name, path } = kind;
  const noun = name === 'Issue' ? 'an issue' : 'a merge request';
  const isSubscribed = subscriptionsTo(kind);

  builder.prismaObjectFields(type, (t) => ({
    id: t.exposeInt('id'),
    /** The number within the project. */
    iid: t.exposeInt('iid'),
    /** The project; of a merge request the target project. */
    projectId: t.exposeInt('projectId'),
    title: t.string({ resolve: ({ text }) => text?.title ?? '' }),
    description: t.string({
      nullable: true,
      complexity: textCost,
      resolve: ({ text }) => text?.description ?? null,
    }),
    isDiscussionLocked: t.exposeBoolean('isDiscussionLocked', { nullable: true }),
    author: t.relation('author', { nullable: true }),
    /** Names, in alphabetical order. */
    labels: t.stringList({
      select: { labels: { select: { label: { select: { name: true } } } } },
      resolve: ({ labels }) => labels.map(({ label }) => label.name).toSorted(),
    }),
    milestone: t.relation('milestone', { type: Milestone, nullable: true }),
    participants: t.field({
      type: UserPage,
      complexity: listingCost,
      args: pageArgs,
      select: { id: true },
      resolve: ({ id }, page, { db }) => usersWithIds(participantsOf(kind, id), page, db),
    }),
    /** Without system notes. */
    userNotesCount: t.exposeInt('userNotesCount'),
    upvotes: t.exposeInt('upvotes'),
    downvotes: t.exposeInt('downvotes'),
    /** In seconds, like `totalTimeSpent`. */
    timeEstimate: t.exposeInt('timeEstimate'),
    totalTimeSpent: t.exposeInt('totalTimeSpent'),
    webUrl: t.string({
      resolve: ({ project, iid }, _args, { baseUrl }) =>
        `${baseUrl}/${project.fullPath}/${path}/${iid}`,
    }),
    /** Whether the viewer is notified of changes: their own choice, or because they participate. */
    isSubscribed: t.boolean({ resolve: ({ id }, _args, ctx) => isSubscribed(id, ctx) }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }));

  const Subscription = builder
    .objectRef<SubscriptionChange>(`${name}SubscriptionChange`)
    .implement({
      extensions: { isPayload: true },
      fields: (t) => ({
        hasChanged: t.exposeBoolean('hasChanged', {
          description: 'False if the current user was in the wanted state already.',
        }),
        [name === 'Issue' ? 'issue' : 'mergeRequest']: t.prismaField({
          type,
          description: `The ${name === 'Issue' ? 'issue' : 'merge request'}.`,
          resolve: (query, { id }, _args, ctx) => reload(query, id, ctx),
        }),
      }),
    });

  for (const [field, isWanted, description] of [
    [`subscribeTo${name}`, true, `Subscribes the current user, who must see it, to ${noun}.`],
    [`unsubscribeFrom${name}`, false, `Ends the subscription of the current user to ${noun}.`],
  ] as const) {
    builder.mutationField(field, (t) =>
      t.field({
        type: Subscription,
        description,
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

  const trackers = `${name === 'Issue' ? 'Reporters' : 'Developers'} only.`;
  for (const [field, changeBy, description] of [
    [`set${name}TimeEstimate`, timeEstimated, `Sets the time estimate of ${noun}. ${trackers}`],
    [`add${name}SpentTime`, timeSpent, `Adds spent time to ${noun}. ${trackers}`],
  ] as const) {
    builder.mutationField(field, (t) =>
      t.prismaField({
        type,
        description,
        args: { ...iidArgs, ...durationArgs },
        resolve: async (query, _root, { project, iid, duration }, ctx) =>
          reload(query, await changeTime(project, iid, () => changeBy(duration), ctx), ctx),
      }),
    );
  }

  builder.mutationField(`reset${name}SpentTime`, (t) =>
    t.prismaField({
      type,
      description: `Removes the spent time of ${noun}. ${trackers}`,
      args: iidArgs,
      resolve: async (query, _root, { project, iid }, ctx) =>
        reload(query, await changeTime(project, iid, () => timeReset, ctx), ctx),
    }),
  );
}

/** The author, the assignees and the authors of notes, each once. */
const participantsOf = ({ table, reference, assigneesOf }: IssuableKind, id: number) => Prisma.sql`(
  SELECT author_id AS id FROM ${table} WHERE id = ${id} AND author_id IS NOT NULL
  UNION
  ${assigneesOf(id)}
  UNION
  SELECT author_id FROM notes
  WHERE ${reference} = ${id} AND NOT is_system AND author_id IS NOT NULL)`;
