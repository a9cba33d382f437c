import { canCreatePersonalSnippet } from '../../../schema/snippets/policy.ts';
import { canSignUp } from './can-sign-up.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import type { ShownPage, Visit } from './page.ts';
import { menu } from './parts.ts';

interface Surroundings {
  /** The addresses of the stylesheet and of the script; their names change with their content. */
  readonly stylesheet: string;
  readonly script: string;
  /** With which the policy allows the scripts of the page. */
  readonly nonce: string;
}

/** The HTML document around the `main` part of a page. */
export function layout(page: ShownPage, visit: Visit, surroundings: Surroundings): Html {
  const { stylesheet, script, nonce } = surroundings;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Millrace</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">${
    page.stylesheet && html`<link rel="stylesheet" href="${visit.url(page.stylesheet)}">`
  }
<script defer src="${script}" nonce="${nonce}"></script>${scriptOf(page, visit, nonce)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><div>
<a class="brand" href="${visit.url('/')}">${icon('container')}<span>Millrace</span></a>
${searchBox(visit, page)}
<nav aria-label="Main">${navigation(visit)}</nav>
</div></header>
<main id="main" tabindex="-1"${page.isWide && html` class="whole"`}>
${page.main}
</main>
<footer><div><a href="${visit.url('/api/docs')}">REST API</a> <a href="${visit.url('/graphql')}">GraphQL explorer</a></div></footer>
</body>
</html>
`;
}

/** The script of the page itself, and what replaces it where scripts do not run. */
function scriptOf({ script, refreshAfter }: ShownPage, visit: Visit, nonce: string): Html | null {
  if (!script) return null;
  const data = Object.entries(script.data).map(([name, value]) => html` data-${name}="${value}"`);
  return html`
<script defer src="${visit.url(script.path)}" nonce="${nonce}"${data}></script>${
    refreshAfter !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${refreshAfter}"></noscript>`
  }`;
}

function searchBox({ url }: Visit, { searchIn }: ShownPage): Html {
  const label = searchIn ? `Search in ${searchIn.name}` : 'Search everything';
  return html`<form method="get" action="${url('/search')}" class="find" aria-label="${label}">
${searchIn && html`<input type="hidden" name="${searchIn.field}" value="${searchIn.id}">`}
<label class="unseen" for="site-search">${label}</label>
<input id="site-search" name="search" type="search" placeholder="${searchIn ? 'Search here' : 'Search'}" data-shortcut="/">
</form>`;
}

function navigation(visit: Visit): Html {
  const { viewer, settings, url } = visit;
  if (!viewer) {
    return html`
<a href="${url('/explore')}">Explore</a>
<a href="${url('/users/sign_in')}">Sign in</a>
${canSignUp(settings) && html`<a href="${url('/users/sign_up')}">Sign up</a>`}`;
  }
  const create = html`<a href="${url('/projects/new')}">New project</a>
${viewer.canCreateGroup && html`<a href="${url('/groups/new')}">New group</a>`}
${canCreatePersonalSnippet(viewer) && html`<a href="${url('/snippets/new')}">New snippet</a>`}`;
  const own = html`<a href="${url(`/${viewer.username}`)}">Your page</a>
<a href="${url('/dashboard/issues')}">Your issues</a>
<a href="${url('/dashboard/merge_requests')}">Your merge requests</a>
<a href="${url('/snippets')}">Your snippets</a>
<a href="${url('/profile')}">Settings</a>
${viewer.isAdmin && html`<a href="${url('/admin')}">Admin area</a>`}
<form method="post" action="${url('/users/sign_out')}">${visit.formToken}<button class="plain">Sign out</button></form>`;
  return html`
<a href="${url('/groups')}">Groups</a>
<a href="${url('/explore')}">Explore</a>
<a class="symbol" href="${url('/dashboard/todos')}" aria-label="To-do list" title="To-do list">${icon('tasklist')}</a>
${menu(html`${icon('plus')}${icon('chevron-down')}`, create, 'Create')}
${menu(html`${icon('person')}<span class="own-name">${viewer.username}</span>${icon('chevron-down')}`, own)}`;
}
