import { Prisma, type Transaction } from '../../prisma/client.ts';
import { rejected } from '../kernel/errors.ts';
import type { DiscussionKind } from './discussion-key.ts';

/** How many notes a discussion may have, because a response has all of them. */
const mostNotes = 1_000;

/** Bytes of their texts together; the longest text may have half of them. */
const mostBytes = 8 * 2 ** 20;

interface Tables {
  readonly threads: Prisma.Sql;
  readonly part: Prisma.Sql;
  readonly notes: Prisma.Sql;
  readonly text: Prisma.Sql;
}

const tables: Readonly<Record<DiscussionKind, Tables>> = {
  note: {
    threads: Prisma.raw('thread_notes'),
    part: Prisma.raw('note_id'),
    notes: Prisma.raw('notes'),
    text: Prisma.raw('body'),
  },
  comment: {
    threads: Prisma.raw('thread_comments'),
    part: Prisma.raw('comment_id'),
    notes: Prisma.raw('commit_comments'),
    text: Prisma.raw('note'),
  },
};

/**
 * Throws if the discussion of a note or comment has become too large, in the transaction that changed
 * it. One that is no part of a thread is not.
 */
export async function refuseLargeThread(
  tx: Transaction,
  kind: DiscussionKind,
  id: number,
): Promise<void> {
  const { threads, part, notes, text } = tables[kind];
  // the length of a text is stored beside it: no text is read
  const [thread] = await tx.$queryRaw<[{ notes: number; bytes: number }]>`
    SELECT count(*)::int AS notes, coalesce(sum(octet_length(${text})), 0)::float AS bytes
    FROM ${threads} JOIN ${notes} ON ${notes}.id = ${part}
    WHERE started_by = (SELECT started_by FROM ${threads} WHERE ${part} = ${id})`;
  if (thread.notes > mostNotes) throw rejected(`A discussion has at most ${mostNotes} notes`);
  if (thread.bytes > mostBytes) throw rejected('A discussion has at most 8 MiB of text');
}
