/** A text anywhere in a column, in any case of letters; `%` and `_` in it are themselves. */
export const containing = (text: string) =>
  ({ contains: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' }) as const;
