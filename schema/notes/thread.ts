import type { Prisma } from '../../prisma/client.ts';
import { DiffPosition } from '../diff-positions/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { recordById } from '../listing/records.ts';
import { User } from '../users/types.ts';
import { discussionKey } from './discussion-key.ts';
import { isResolvable } from './policy.ts';

const include = { note: { select: { position: true } } } as const;

type Thread = Prisma.ThreadNoteGetPayload<{ include: typeof include }>;

/**
 * The part that a note has in a thread, with its position; those of all rows are read together. Most
 * notes have none, and are listed without a look at these tables.
 */
export const threadOf = batched<number, Thread | null>(async (ids, { db }) => {
  const rows = await db.threadNote.findMany({
    relationLoadStrategy: 'join',
    where: { noteId: { in: [...ids] } },
    include,
  });
  return new Map(rows.map((row) => [row.noteId, row]));
}, null);

const NoteType = builder.enumType('NoteType', {
  description: 'The kind of a note of a thread.',
  values: {
    DiscussionNote: { description: 'A note on the whole.' },
    DiffNote: { description: 'A note on a line or an image of a diff.' },
  } as const,
});

export const NoteThread = builder.objectRef<Thread>('NoteThread').implement({
  description: 'The part that a note has in a thread.',
  fields: (t) => ({
    key: t.string({
      description: 'The key of the discussion: 40 hexadecimal digits.',
      resolve: ({ startedBy }) => discussionKey('note', startedBy),
    }),
    type: t.field({
      type: NoteType,
      description: 'The kind of the note.',
      resolve: ({ note }) => (note.position ? 'DiffNote' : 'DiscussionNote'),
    }),
    isResolvable: t.boolean({
      description: 'Whether the note can be resolved: on a merge request.',
      resolve: isResolvable,
    }),
    isResolved: t.boolean({
      description: 'Whether the note is resolved.',
      resolve: ({ resolvedAt }) => resolvedAt !== null,
    }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the note was resolved; null if it is not.',
    }),
    resolvedBy: t.prismaField({
      type: User,
      nullable: true,
      description:
        'The user who resolved it; null if it is not resolved, and if the account was deleted.',
      complexity: statementCost,
      resolve: (query, { resolvedById }, _args, ctx) => {
        // Pothos reports a query that is never read
        const selection = { ...query };
        return resolvedById === null ? null : recordById(ctx, 'user', resolvedById, selection);
      },
    }),
    position: t.field({
      type: DiffPosition,
      nullable: true,
      description:
        'The place in the diff of a merge request that it is written on; null for other notes.',
      resolve: ({ note }) => note.position,
    }),
  }),
});
