/** The largest integer of a column; larger values are refused before they reach the database. */
export const largestInteger = 2 ** 31 - 1;

/** A column holds neither NUL nor lone surrogates. */
const isStorable = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

/** A text; numbers and booleans of JSON are accepted as text. */
export const textOf = (input: unknown): string | undefined => {
  if (typeof input === 'string') return isStorable(input) ? input : undefined;
  return typeof input === 'number' || typeof input === 'boolean' ? String(input) : undefined;
};

/** An integer of any size. */
export const integerOf = (input: unknown): number | undefined => {
  if (typeof input === 'number') return Number.isInteger(input) ? input : undefined;
  return typeof input === 'string' && /^[+-]?\d{1,20}$/.test(input) ? Number(input) : undefined;
};

/** A number, with or without decimals. */
export const decimalOf = (input: unknown): number | undefined => {
  const isWritten = typeof input === 'string' && /^[+-]?\d{1,20}(?:\.\d{1,20})?$/.test(input);
  const number = typeof input === 'number' || isWritten ? Number(input) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
};

/** An integer that a column can hold. */
export const columnInteger = (input: unknown): number | undefined => {
  const integer = integerOf(input);
  return integer !== undefined && Math.abs(integer) <= largestInteger ? integer : undefined;
};

/** JSON arrays, `a[]=x` and `a[7]=x`; undefined for anything else. */
function itemsOf(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input;
  if (typeof input !== 'object' || input === null) return undefined;
  return Object.keys(input).every((key) => /^\d+$/.test(key)) ? Object.values(input) : undefined;
}

const split = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The items of a list in any of its forms; undefined if the value or an item is invalid. */
export function readList<Item>(
  input: unknown,
  item: (input: unknown) => Item | undefined,
  separator = /,/,
): readonly Item[] | undefined {
  const given =
    typeof input === 'string'
      ? split(input, separator)
      : itemsOf(input)?.filter((part) => part !== '');
  const items = given?.map(item).filter((read) => read !== undefined);
  return items && items.length === given?.length ? items : undefined;
}
