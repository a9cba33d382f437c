import { invalid } from '../kernel/errors.ts';

/** A position in a listing: the key and the id of its last row, or the number of rows before it. */
export type Cursor =
  | { readonly key: string | number; readonly id: number }
  | { readonly offset: number };

const longest = 1_000;

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
  if ((typeof first === 'string' || isCount(first)) && isCount(id)) return { key: first, id };
  throw invalidCursor();
}

/** The error for a text that is no cursor, or a cursor of another listing. */
export const invalidCursor = () => invalid({ after: ['is not a cursor of this listing'] });

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
