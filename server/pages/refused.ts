import { STATUS_CODES } from 'node:http';
import { html, type Shown } from './html.ts';
import type { ShownPage } from './page.ts';

/** A page that says why there is none. */
export function refused(status: number, text: Shown): ShownPage {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return { title, status, main: html`<h1>${title}</h1><p>${text}</p>` };
}

export const missing = refused(404, 'There is nothing here, or nothing that you may see.');
