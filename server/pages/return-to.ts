import { html } from './html.ts';
import type { Answer, Visit } from './page.ts';

/** Long enough for every address of ours, and short enough to be carried along. */
const longest = 4_000;

// no other host: a second slash, which browsers also take a backslash for, would begin one, and
// control characters, which they leave out, could hide it
const ownPath = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/;

/** The path of ours that somebody wanted to see, without our prefix; null when it is no such path. */
export const ownPathOf = (wished: string | undefined): string | null =>
  wished !== undefined && wished.length <= longest && ownPath.test(wished) ? wished : null;

/** What this visit's form or address says is to be seen after it. */
export const returnToOf = ({ form, query }: Visit): string | null =>
  ownPathOf(form.return_to ?? query.return_to);

/** The address of a page on the way to a path of ours. */
export const onTheWayTo = (page: string, wished: string | null): string =>
  wished === null ? page : `${page}?return_to=${encodeURIComponent(wished)}`;

/** The hidden field that carries it on. */
export const returnToField = (wished: string | null) =>
  wished !== null && html`<input type="hidden" name="return_to" value="${wished}">`;

/** Leads somebody who has just signed in on to what they wanted to see, or home. */
export function leadOn({ url, ctx }: Visit, wished: string | null): Answer {
  const next = url(wished ?? '/');
  if (!wished?.startsWith('/oauth/')) return { redirect: next };
  // from there an application may be returned to, where no form of ours may lead, be it by redirects
  ctx.set('Refresh', `0; url=${next}`);
  return {
    title: 'Signed in',
    main: html`<h1>Signed in</h1><p><a href="${next}">Continue</a></p>`,
  };
}

/** The address of the sign-in page, which returns to the page of this visit. */
export function signInAddress({ ctx, url }: Visit): string {
  const returnTo = ctx.method === 'GET' ? ctx.url : '/profile';
  return url(`/users/sign_in?return_to=${encodeURIComponent(returnTo)}`);
}
