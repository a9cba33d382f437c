/** First segments of addresses that programs use; the APIs there send their own responses. */
const machines = '-|api|assets|graphql|oauth|uploads';

/** The addresses of pages, whose forms are read into parameters. */
export const pageAddress = new RegExp(`^/(?!(?:${machines})(?:/|$))`);

/** Fields of forms that may be files. */
export const pageFileNames: ReadonlySet<string> = new Set(['avatar', 'file']);
