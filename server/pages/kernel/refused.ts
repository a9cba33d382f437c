import { STATUS_CODES } from 'node:http';
import { html, type Shown } from './html.ts';
import type { ShownPage } from './page.ts';

/** An error page. */
export function refused(status: number, text: Shown): ShownPage {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return { title, status, main: html`<h1>${title}</h1><p>${text}</p>` };
}

export const missing = refused(404, 'This page does not exist, or you do not have access to it.');
