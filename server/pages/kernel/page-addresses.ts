/** The addresses of pages, whose forms are read; at others, programs get the responses of their APIs. */
export const pageAddress = /^\/(?!(?:-|api|assets|graphql|oauth|uploads)(?:\/|$))/;

/** Fields of forms that may be files. */
export const pageFileNames: ReadonlySet<string> = new Set(['avatar', 'file']);
