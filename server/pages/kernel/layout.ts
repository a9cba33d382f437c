import { canSignUp } from './can-sign-up.ts';
import { type Html, html } from './html.ts';
import type { ShownPage, Visit } from './page.ts';

interface Surroundings {
  /** The address of the stylesheet; its name changes with its content. */
  readonly stylesheet: string;
  /** With which the policy allows the script of the page. */
  readonly nonce: string | null;
}

/** The HTML document around the `main` part of a page. */
export function layout(page: ShownPage, visit: Visit, { stylesheet, nonce }: Surroundings): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Millrace</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">${nonce !== null && scriptOf(page, visit, nonce)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="brand" href="${visit.url('/')}">Millrace</a>
<nav aria-label="Main">${navigation(visit)}</nav>
</header>
<main id="main" tabindex="-1">
${page.main}
</main>
<footer><a href="${visit.url('/api/docs')}">REST API</a> · <a href="${visit.url('/graphql')}">GraphQL explorer</a></footer>
</body>
</html>
`;
}

/** The script, and what replaces it where scripts do not run. */
function scriptOf({ script, refreshAfter }: ShownPage, visit: Visit, nonce: string): Html | null {
  if (!script) return null;
  const data = Object.entries(script.data).map(([name, value]) => html` data-${name}="${value}"`);
  return html`
<script defer src="${visit.url(script.path)}" nonce="${nonce}"${data}></script>${
    refreshAfter !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${refreshAfter}"></noscript>`
  }`;
}

function navigation({ viewer, settings, formToken, url }: Visit): Html {
  if (viewer) {
    return html`
<a href="${url(`/${viewer.username}`)}">${viewer.username}</a>
<a href="${url('/profile')}">Profile</a>
<form method="post" action="${url('/users/sign_out')}">${formToken}<button class="plain">Sign out</button></form>`;
  }
  return html`
<a href="${url('/users/sign_in')}">Sign in</a>
${canSignUp(settings) && html`<a href="${url('/users/sign_up')}">Sign up</a>`}`;
}
