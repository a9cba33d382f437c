/** A text as a pattern that stands for itself: `%` and `_` in it are no wildcards. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A text anywhere in a column, in any case of letters. */
export const containing = (text: string) =>
  ({ contains: literal(text), mode: 'insensitive' }) as const;
