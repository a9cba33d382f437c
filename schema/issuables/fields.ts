import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import { Prisma, type User } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { allOf } from '../kernel/sql.ts';
import { Label } from '../labels/types.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { Milestone } from '../milestones/types.ts';
import { UserPage } from '../users/types.ts';
import { Issuable, labelsCost } from './interface.ts';
import type { IssuableKind } from './kinds.ts';
import { subscriptionsTo } from './subscriptions.ts';

type Types = typeof builder.$inferSchemaTypes;

/** A project by id or full path, and a number within it. */
export const iidArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  iid: t.int({ required: true, description: 'The number within the project.' }),
}));

const labelColumns = { id: true, name: true, color: true, description: true } as const;

type IssueModel = Types['PrismaTypes']['Issue'];

/** What both types include in every query. */
interface Included {
  readonly text: { readonly title: string; readonly description: string | null } | null;
  readonly project: { readonly fullPath: string };
}

/** Adds the fields that both types have. */
export function addIssuableFields<Model extends PrismaModelTypes, Row extends object>(
  kind: IssuableKind,
  ref: PrismaObjectRef<Types, Model, Row>,
): void {
  // the plugin infers a model's types only from a concrete model
  const type = ref as unknown as PrismaObjectRef<Types, IssueModel, IssueModel['Shape'] & Included>;
  const { path, inText: the } = kind;
  const isSubscribed = subscriptionsTo(kind);
  type.addInterfaces([Issuable]);

  builder.prismaObjectFields(type, (t) => ({
    id: t.exposeInt('id', { description: `The id of ${the}.` }),
    iid: t.exposeInt('iid', { description: `The number of ${the} within its project.` }),
    projectId: t.exposeInt('projectId', { extensions: internal }),
    title: t.string({
      description: 'The title, in one line.',
      resolve: ({ text }) => text?.title ?? '',
    }),
    description: t.string({
      nullable: true,
      complexity: textCost,
      description: 'The description in Markdown; null if there is none.',
      resolve: ({ text }) => text?.description ?? null,
    }),
    isDiscussionLocked: t.boolean({
      description: 'Whether only members of the project may comment.',
      resolve: ({ isDiscussionLocked }) => isDiscussionLocked ?? false,
    }),
    // REST distinguishes a discussion that was never locked: null
    discussionLocked: t.exposeBoolean('isDiscussionLocked', {
      nullable: true,
      extensions: internal,
    }),
    author: t.relation('author', {
      nullable: true,
      description: `The user who created ${the}; null if the account was deleted.`,
    }),
    labels: t.field({
      type: [Label],
      description: 'The labels, in the order of their names.',
      complexity: labelsCost,
      select: { projectId: true, labels: { select: { label: { select: labelColumns } } } },
      resolve: ({ projectId, labels }) => {
        const source = { kind: 'project', id: projectId } as const;
        return labels
          .map(({ label }) => ({ ...label, source }))
          .toSorted((a, b) => compare(a.name, b.name));
      },
    }),
    labelNames: t.stringList({
      extensions: internal,
      description: 'The names of the labels, in alphabetical order.',
      select: { labels: { select: { label: { select: { name: true } } } } },
      resolve: ({ labels }) => labels.map(({ label }) => label.name).toSorted(),
    }),
    milestone: t.relation('milestone', {
      type: Milestone,
      nullable: true,
      description: 'The milestone; null if there is none.',
    }),
    participants: t.field({
      type: UserPage,
      description:
        'The author, the assignees and the authors of notes, each once, in the order of their ids.',
      complexity: listingCost,
      args: pageArgs,
      select: { id: true },
      resolve: ({ id }, page, ctx) =>
        pageOfRecords<User>(ctx, {
          table: 'users',
          where: allOf([]),
          column: 'id',
          direction: 'asc',
          page,
          parent: { id, condition: (parentId) => isParticipant(kind, parentId) },
        }),
    }),
    userNotesCount: t.exposeInt('userNotesCount', {
      description: 'The number of notes that users wrote: without system notes.',
    }),
    upvotes: t.exposeInt('upvotes', { description: 'The number of `thumbsup` award emoji.' }),
    downvotes: t.exposeInt('downvotes', { description: 'The number of `thumbsdown` award emoji.' }),
    timeEstimate: t.exposeInt('timeEstimate', {
      description: 'The estimated working time in seconds; 0 without an estimate.',
    }),
    totalTimeSpent: t.exposeInt('totalTimeSpent', {
      description: 'The working time that was recorded, in seconds.',
    }),
    webUrl: t.field({
      type: 'URL',
      description: `The address of ${the} for browsers.`,
      resolve: ({ project, iid }, _args, { baseUrl }) =>
        `${baseUrl}/${project.fullPath}/${path}/${iid}`,
    }),
    isSubscribed: t.boolean({
      description:
        'Whether the current user is notified of changes: by their own choice, or because they take part. False for an anonymous user.',
      resolve: ({ id }, _args, ctx) => isSubscribed(id, ctx),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: `When ${the} was created.`,
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: `When ${the} was last changed, including its notes.`,
    }),
  }));
}

/** The condition that a user is the author, an assignee or the author of a note. */
const isParticipant = ({ table, id, reference, assigneesOf }: IssuableKind, parentId: Prisma.Sql) =>
  Prisma.sql`users.id IN (
    SELECT author_id FROM ${table} WHERE ${id} = ${parentId}
    UNION
    ${assigneesOf(parentId)}
    UNION
    SELECT author_id FROM notes WHERE ${reference} = ${parentId} AND NOT is_system)`;

/** By code units, as `toSorted` compares names. */
const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
