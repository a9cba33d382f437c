import { type Html, html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { savedNotice } from '../kernel/parts.ts';

/** The address of a page in a menu, and its name. */
export type MenuItem = readonly [path: string, name: string];

/** A row of links to pages that belong together; `current` is the path of the page itself. */
export const menuOfPages = (
  { url }: Pick<Visit, 'url'>,
  label: string,
  items: readonly MenuItem[],
  current: string,
): Html =>
  html`<nav class="subtabs" aria-label="${label}"><ul>${items.map(
    ([path, name]) =>
      html`<li><a href="${url(path)}"${path === current && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`;

interface PageInMenu {
  /** The path of the page in the menu. */
  readonly section: string;
  /** Default: the title. */
  readonly heading?: Html;
  readonly title: string;
  readonly main: Html;
  /** Default: 200. */
  readonly status?: number | undefined;
}

/** Makes the pages of one menu: the menu, the heading, and what was saved. */
export const pagesInMenu =
  (label: string, items: readonly MenuItem[]) =>
  (visit: Visit, { section, title, heading, main, status = 200 }: PageInMenu): ShownPage => ({
    title: `${title} · ${label}`,
    status,
    main: html`${menuOfPages(visit, label, items, section)}
<h1>${heading ?? title}</h1>
${savedNotice(visit)}
${main}`,
  });
