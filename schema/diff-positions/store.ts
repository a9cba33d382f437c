import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { CheckedPosition } from './check.ts';

/** A note or comment with a position, by the column that refers to it. */
type PositionHolder = { readonly noteId: number } | { readonly commentId: number };

/** Stores the position of a note or comment, in the transaction that creates it. */
export async function storePosition(
  tx: Transaction,
  holder: PositionHolder,
  position: CheckedPosition,
): Promise<void> {
  await tx.diffPosition.create({ data: { ...position, ...holder }, select: { id: true } });
}

const columns = Prisma.raw(`type, base_sha, start_sha, head_sha, old_path, new_path,
  old_line, new_line, line_code, width, height, x, y`);

/** Gives a reply the position of the first note or comment, if that has one. */
export async function copyPosition(
  tx: Transaction,
  column: 'note_id' | 'comment_id',
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const holder = Prisma.raw(column);
  await tx.$executeRaw`
    INSERT INTO diff_positions (${holder}, ${columns})
    SELECT ${to}::int, ${columns} FROM diff_positions WHERE ${holder} = ${from}`;
}
