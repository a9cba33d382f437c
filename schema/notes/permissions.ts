import type { PrismaModelTypes, PrismaObjectRef } from '@pothos/plugin-prisma';
import { Issue } from '../issues/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { projectById } from '../projects/find.ts';
import { Snippet } from '../snippets/types.ts';
import { canDeleteNote, canDiscuss, canEditNote } from './policy.ts';
import { Note } from './types.ts';

type Types = typeof builder.$inferSchemaTypes;

/** The columns of a noteable that decide what a user may do with its notes. */
interface Facts {
  readonly id: number;
  readonly projectId: number | null;
  readonly authorId: number | null;
  readonly isDiscussionLocked?: boolean | null;
}

const columns = { id: true, projectId: true, authorId: true } as const;
const lockable = { ...columns, isDiscussionLocked: true } as const;

const byId = (rows: readonly Facts[]) => new Map(rows.map((row) => [row.id, row]));
const among = (ids: readonly number[]) => ({ id: { in: [...ids] } });

const issueFacts = batched<number, Facts | null>(
  async (ids, { db }) => byId(await db.issue.findMany({ where: among(ids), select: lockable })),
  null,
);
const mergeRequestFacts = batched<number, Facts | null>(
  async (ids, { db }) =>
    byId(await db.mergeRequest.findMany({ where: among(ids), select: lockable })),
  null,
);
const snippetFacts = batched<number, Facts | null>(
  async (ids, { db }) => byId(await db.snippet.findMany({ where: among(ids), select: columns })),
  null,
);

interface OnNoteable {
  readonly issueId: number | null;
  readonly mergeRequestId: number | null;
  readonly snippetId: number | null;
}

const factsOf = ({ issueId, mergeRequestId, snippetId }: OnNoteable, ctx: Context) => {
  if (issueId !== null) return issueFacts(issueId, ctx);
  if (mergeRequestId !== null) return mergeRequestFacts(mergeRequestId, ctx);
  return snippetId === null ? null : snippetFacts(snippetId, ctx);
};

/** What the policies of notes read; null for a personal snippet, which has no notes. */
async function discussionIn(facts: Facts | null, ctx: Context) {
  if (!facts || facts.projectId === null) return null;
  const { level } = await projectById(facts.projectId, ctx);
  const { authorId, isDiscussionLocked } = facts;
  return { level, authorId, isDiscussionLocked: isDiscussionLocked ?? false };
}

/** The discussion that a note is part of, for policies; null for an anonymous user. */
export const discussionOfNote = async (note: OnNoteable, ctx: Context) =>
  ctx.viewer && discussionIn(await factsOf(note, ctx), ctx);

// no `select`, with which the plugin would look at each row again: all columns are read
builder.prismaObjectFields(Note, (t) => ({
  canEdit: t.boolean({
    description: 'Whether the current user may change the text: its author and masters.',
    resolve: async (note, _args, ctx) => {
      const { viewer } = ctx;
      const discussion = await discussionOfNote(note, ctx);
      return viewer && discussion && !note.isSystem ? canEditNote(viewer, discussion, note) : false;
    },
  }),
  canDelete: t.boolean({
    description: 'Whether the current user may delete the note.',
    resolve: async (note, _args, ctx) => {
      const { viewer } = ctx;
      const discussion = await discussionOfNote(note, ctx);
      return viewer && discussion ? canDeleteNote(viewer, discussion, note) : false;
    },
  }),
}));

/** As `addAwardEmojis`. */
function addCanComment<Model extends PrismaModelTypes, Row extends object>(
  type: PrismaObjectRef<Types, Model, Row>,
  facts: (id: number, ctx: Context) => Promise<Facts | null>,
): void {
  // the plugin infers a model's types only from a concrete model
  builder.prismaObjectField(type as unknown as typeof Issue, 'canComment', (t) =>
    t.boolean({
      description:
        'Whether the current user may comment: users who see it, only members if its discussion is locked.',
      select: { id: true },
      resolve: async ({ id }, _args, ctx) => {
        const discussion = ctx.viewer && (await discussionIn(await facts(id, ctx), ctx));
        return discussion ? canDiscuss(discussion) : false;
      },
    }),
  );
}

addCanComment(Issue, issueFacts);
addCanComment(MergeRequest, mergeRequestFacts);
addCanComment(Snippet, snippetFacts);
