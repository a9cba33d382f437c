import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { menu } from '../kernel/parts.ts';

/** A page of files at a branch or tag. */
export interface RefPlace {
  readonly ref: string;
  readonly path: string;
  /** The word of the page in addresses, such as `tree`. */
  readonly word: string;
}

const wholeId = /^[0-9a-f]{40}$/;

/**
 * A menu that switches to another branch or tag: a search for its name. A script lists those found in
 * the menu; without it a page of its own does.
 */
export function refMenu(visit: Visit, project: Project, { ref, path, word }: RefPlace): Html {
  const isCommit = wholeId.test(ref);
  const label = html`${icon(isCommit ? 'git-commit' : 'git-branch')}<span>${isCommit ? ref.slice(0, 8) : ref}</span>${icon('chevron-down')}`;
  const search = html`<form method="get" action="${addressIn(visit, project, 'refs')}" data-live>
<input type="hidden" name="word" value="${word}"><input type="hidden" name="path" value="${path}">
<label class="unseen" for="ref-search">Find a branch or tag</label>
<div class="row"><input id="ref-search" type="search" name="search" placeholder="Find a branch or tag" autocomplete="off"><button class="small">Find</button></div>
<div data-live-results></div></form>`;
  return html`<div class="ref-menu">${menu(label, search, `Branch or tag: ${ref}`)}</div>`;
}
