import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';
import { discussionKey } from '../notes/discussion-key.ts';
import { discussionOfNote } from '../notes/permissions.ts';
import { canResolve, isResolvable } from '../notes/policy.ts';
import { threadOf } from '../notes/thread.ts';
import { Note } from '../notes/types.ts';
import { inOrder } from './replies.ts';

interface ThreadNote {
  readonly id: number;
  readonly createdAt: Date;
}

/** What decides whether it is resolved: system notes in it, which have no merge request, do not count. */
const threadNotes = {
  select: { noteId: true, mergeRequestId: true, resolvedAt: true },
  orderBy: { noteId: 'asc' },
} as const;

const isAllResolved = (notes: readonly { readonly resolvedAt: Date | null }[]): boolean =>
  notes.length > 0 && notes.every(({ resolvedAt }) => resolvedAt !== null);

/** The first note of a discussion stands for all of it. */
export const Discussion = builder.prismaObject('Note', {
  variant: 'Discussion',
  description:
    'The notes about one matter on an issue, merge request or snippet: a single note, or a thread with replies.',
  fields: (t) => ({
    key: t.string({
      description:
        'The id over REST: 40 hexadecimal digits. It stays the same if the first note is deleted.',
      complexity: statementCost,
      select: { id: true, isInThread: true },
      resolve: async ({ id, isInThread }, _args, ctx) => {
        const thread = isInThread ? await threadOf(id, ctx) : null;
        return discussionKey('note', thread?.startedBy ?? id);
      },
    }),
    isIndividual: t.boolean({
      description: 'Whether it is a single note, to which there can be no replies.',
      select: { isInThread: true },
      resolve: ({ isInThread }) => !isInThread,
    }),
    isResolvable: t.boolean({
      description: 'Whether it can be resolved: a thread on a merge request.',
      select: { threadNotes },
      resolve: (discussion) => discussion.threadNotes.some(isResolvable),
    }),
    isResolved: t.boolean({
      description: 'Whether all its notes are resolved. False for what cannot be resolved.',
      select: { threadNotes },
      resolve: (discussion) => isAllResolved(discussion.threadNotes.filter(isResolvable)),
    }),
    canResolve: t.boolean({
      description: 'Whether the current user may resolve it, or open it again.',
      select: {
        issueId: true,
        mergeRequestId: true,
        snippetId: true,
        thread: { select: { mergeRequestId: true } },
      },
      resolve: async ({ thread, ...note }, _args, ctx) => {
        const discussion = isResolvable(thread) ? await discussionOfNote(note, ctx) : null;
        return ctx.viewer && discussion ? canResolve(ctx.viewer, discussion) : false;
      },
    }),
    firstNote: t.variant(Note, { description: 'The note that it starts with.' }),
    replies: t.field({
      type: [Note],
      description: 'The other notes, the oldest first.',
      complexity: { field: statementCost, multiplier: 10 },
      select: (_args, _ctx, nested) => ({
        id: true,
        threadNotes: {
          select: { noteId: true, note: nested({ select: { id: true, createdAt: true } }) },
          orderBy: { noteId: 'asc' },
        },
      }),
      resolve: ({ id, threadNotes }) =>
        inOrder(
          (threadNotes as unknown as readonly { readonly note: ThreadNote }[])
            .map(({ note }) => note)
            .filter((note) => note.id !== id),
        ) as never,
    }),
  }),
});

export const DiscussionPage = pageType('Discussion', Discussion);
