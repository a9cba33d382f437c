import { invalid } from '../kernel/errors.ts';

/** A row of a listing: the value that the rows are ordered by, and the id. */
export interface RowKey {
  readonly key: string | number | null;
  readonly id: number;
}

/** A position in a listing: its last row, or the number of rows before it. */
export type Cursor = RowKey | { readonly offset: number };

/** A key is at most a name of 255 characters or a reference of git. */
const longest = 8_000;

/** The cursor as an opaque text. */
export const cursorText = (cursor: Cursor): string =>
  Buffer.from(
    JSON.stringify('offset' in cursor ? [cursor.offset] : [cursor.key, cursor.id]),
  ).toString('base64url');

/** Reads a cursor; throws `invalid` for any other text. */
export function parseCursor(text: string): Cursor {
  const values = text.length <= longest ? parsed(Buffer.from(text, 'base64url').toString()) : null;
  const [first, id] = Array.isArray(values) ? (values as unknown[]) : [];
  if (isCount(first) && id === undefined) return { offset: first };
  if (isKey(first) && isCount(id)) return { key: first, id };
  throw invalidCursor();
}

/** The error for a text that is no cursor, or a cursor of another listing. */
export const invalidCursor = () => invalid({ after: ['is not a cursor of this listing'] });

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;

const isKey = (value: unknown): value is RowKey['key'] =>
  value === null || typeof value === 'string' || typeof value === 'number';

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
