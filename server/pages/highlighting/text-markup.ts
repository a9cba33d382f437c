const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as markup for the content of an element: source code is full of quotes, which may stay. */
export const textMarkup = (text: string): string =>
  text.replace(/[&<>]/g, (character) => escapes[character] ?? '');
