import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { Awardable, addAwardEmojis } from '../award-emoji/edges.ts';
import { AwardEmoji } from '../award-emoji/types.ts';
import { Issuable } from '../issuables/interface.ts';
import { Issue } from '../issues/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordById } from '../listing/records.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { noteableColumns } from '../noteables/find.ts';
import { Project } from '../projects/types.ts';
import { Snippet } from '../snippets/types.ts';
import { User } from '../users/types.ts';
import { listNotes, noteListArgs } from './filter.ts';
import { Note, NotePage } from './types.ts';

type Types = typeof builder.$inferSchemaTypes;

const notes = {
  type: NotePage,
  nullable: true,
  description:
    'The comments of users and the system notes, the newest first by default. Null for an anonymous user.',
  complexity: listingCost,
  args: { ...pageArgs, ...noteListArgs },
} as const;

/** What has notes. Each type resolves the fields itself. */
export const Noteable = builder.interfaceRef<object>('Noteable').implement({
  description: 'What users may comment on: an issue, merge request or snippet.',
  fields: (t) => ({
    id: t.int({ description: 'The id.' }),
    title: t.string({ description: 'The title, in one line.' }),
    author: t.field({
      type: User,
      nullable: true,
      description: 'The user who created it; null if the account was deleted.',
    }),
    webUrl: t.field({ type: 'URL', description: 'The address for browsers.' }),
    notes: t.field(notes),
    createdAt: t.field({ type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was last changed, including its notes.',
    }),
  }),
});

builder.interfaceField(Issuable, 'notes', (t) => t.field(notes));

/** As `addAwardEmojis`. */
function addNotes<Model extends PrismaModelTypes, Row extends object>(
  type: PrismaObjectRef<Types, Model, Row>,
  column: string,
): void {
  // the plugin infers a model's types only from a concrete model
  const noteable = type as unknown as typeof Issue;
  noteable.addInterfaces([Noteable]);
  builder.prismaObjectField(noteable, 'notes', (t) =>
    t.field({
      ...notes,
      select: { id: true },
      resolve: ({ id }, args, ctx) => ctx.viewer && listNotes(column, id, args, ctx),
    }),
  );
}

addNotes(Issue, noteableColumns.Issue);
addNotes(MergeRequest, noteableColumns.MergeRequest);
addNotes(Snippet, noteableColumns.Snippet);
addAwardEmojis(Note, 'note_id');

const awardables = {
  Issue: { model: 'issue', ref: Issue },
  MergeRequest: { model: 'mergeRequest', ref: MergeRequest },
  Snippet: { model: 'snippet', ref: Snippet },
  Note: { model: 'note', ref: Note },
} as const;

/**
 * The record of one of the types of an interface, with the relations that the document selects; the
 * records of all rows are read together.
 */
async function awardableById(
  typeName: keyof typeof awardables,
  id: number,
  ctx: Context,
  info: GraphQLResolveInfo,
): Promise<object | null> {
  const { model, ref } = awardables[typeName];
  const query = queryFromInfo({ context: ctx, info, typeName });
  const record = await recordById(ctx, model, id, query);
  // the brand tells GraphQL the type
  return record && (ref as typeof Issue).addBrand(record as typeof Issue.$inferType);
}

interface Target {
  readonly issueId: number | null;
  readonly mergeRequestId: number | null;
  readonly snippetId: number | null;
}

/** The type and id of what a note or award emoji belongs to. */
const targetOf = ({
  issueId,
  mergeRequestId,
  snippetId,
}: Target): [keyof typeof awardables, number] => {
  if (issueId !== null) return ['Issue', issueId];
  return mergeRequestId === null ? ['Snippet', snippetId ?? 0] : ['MergeRequest', mergeRequestId];
};

type InProject<Traits> = Traits & { readonly project: { readonly fullPath: string } };

interface Placed {
  readonly issue: InProject<{ readonly iid: number }> | null;
  readonly mergeRequest: InProject<{ readonly iid: number }> | null;
  readonly snippet: {
    readonly id: number;
    readonly project: { readonly fullPath: string } | null;
  } | null;
}

/** The path of the page that shows the notes of an issue, merge request or snippet. */
function pageOf({ issue, mergeRequest, snippet }: Placed): string {
  if (issue) return `${issue.project.fullPath}/issues/${issue.iid}`;
  if (mergeRequest) return `${mergeRequest.project.fullPath}/merge_requests/${mergeRequest.iid}`;
  const place = snippet?.project ? `${snippet.project.fullPath}/` : '';
  return `${place}snippets/${snippet?.id}`;
}

const targetColumns = { issueId: true, mergeRequestId: true, snippetId: true } as const;

builder.prismaObjectFields(Note, (t) => ({
  noteable: t.field({
    type: Noteable,
    nullable: true,
    description: 'The issue, merge request or snippet that the note is written on.',
    complexity: statementCost,
    select: targetColumns,
    resolve: (note, _args, ctx, info) => awardableById(...targetOf(note), ctx, info),
  }),
  webUrl: t.field({
    type: 'URL',
    description: 'The address of the comment on the page of its issue, merge request or snippet.',
    select: {
      issue: { select: { iid: true, project: { select: { fullPath: true } } } },
      mergeRequest: { select: { iid: true, project: { select: { fullPath: true } } } },
      snippet: { select: { id: true, project: { select: { fullPath: true } } } },
    },
    resolve: (note, _args, { baseUrl }) => `${baseUrl}/${pageOf(note)}#note_${note.id}`,
  }),
  project: t.field({
    type: Project,
    nullable: true,
    description: 'The project of the noteable; null for a note on a personal snippet.',
    select: (_args, _ctx, nested) => {
      const project = { select: { project: nested() } };
      return { issue: project, mergeRequest: project, snippet: project };
    },
    resolve: ({ issue, mergeRequest, snippet }) =>
      ((issue ?? mergeRequest ?? snippet)?.project ?? null) as never,
  }),
}));

builder.prismaObjectField(AwardEmoji, 'awardable', (t) =>
  t.field({
    type: Awardable,
    nullable: true,
    description: 'The issue, merge request, snippet or note that the award emoji was given to.',
    complexity: statementCost,
    select: { ...targetColumns, noteId: true },
    resolve: (award, _args, ctx, info) =>
      award.noteId === null
        ? awardableById(...targetOf(award), ctx, info)
        : awardableById('Note', award.noteId, ctx, info),
  }),
);
