/** Whether a column can store the text: PostgreSQL has neither NUL nor lone surrogates. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The text without NUL, and with lone surrogates replaced. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
