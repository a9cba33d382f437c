import type { Transaction } from '../../prisma/client.ts';
import type { Noteable } from '../noteables/find.ts';
import type { Mentions } from '../todos/mentions.ts';
import { recordTodos, type TodoTarget } from '../todos/record.ts';

const kinds = { Issue: 'issue', MergeRequest: 'mergeRequest', Snippet: null } as const;

/** What a note on the noteable makes to-dos for; null for a snippet. */
export function todoTargetOf({ kind, id }: Pick<Noteable, 'kind' | 'id'>): TodoTarget | null {
  const target = kinds[kind];
  return target && { kind: target, id };
}

interface MentioningNote {
  readonly id: number;
  readonly authorId: number;
}

/** Makes to-dos for the users whom a note mentions, in the transaction that stores it. */
export async function recordMentions(
  tx: Transaction,
  noteable: Pick<Noteable, 'kind' | 'id'>,
  { id: noteId, authorId }: MentioningNote,
  mentions: Mentions,
): Promise<void> {
  const target = todoTargetOf(noteable);
  if (target) await recordTodos(tx, target, { authorId, noteId, mentions });
}
