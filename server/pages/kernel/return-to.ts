import { html } from './html.ts';
import type { Answer, Visit } from './page.ts';

/** Characters; longer than all our addresses. */
const longest = 4_000;

// no other host: a second slash would start one, browsers treat backslashes as slashes, and they
// drop control characters that could hide it
const ownPath = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/;

/** One of our paths, without the prefix, to return to; null if it is not a valid path. */
const ownPathOf = (path: string | undefined): string | null =>
  path !== undefined && path.length <= longest && ownPath.test(path) ? path : null;

/** The path to return to, from the form or the query. */
export const returnToOf = ({ form, query }: Visit): string | null =>
  ownPathOf(form.return_to ?? query.return_to);

/** The address of a page that returns to a path. */
export const withReturnTo = (page: string, returnTo: string | null): string =>
  returnTo === null ? page : `${page}?return_to=${encodeURIComponent(returnTo)}`;

/** The hidden field with the path to return to. */
export const returnToField = (returnTo: string | null) =>
  returnTo !== null && html`<input type="hidden" name="return_to" value="${returnTo}">`;

/** Redirects a user who has just signed in to the page they requested, or to the home page. */
export function redirectAfterSignIn({ url, ctx }: Visit, returnTo: string | null): Answer {
  const next = url(returnTo ?? '/');
  if (!returnTo?.startsWith('/oauth/')) return { redirect: next };
  // may redirect to an application, which our form-action policy forbids, so the page redirects itself
  ctx.set('Refresh', `0; url=${next}`);
  return {
    title: 'Signed in',
    main: html`<h1>Signed in</h1><p><a href="${next}">Continue</a></p>`,
  };
}

interface SignInTarget {
  /** The page after the sign-in; default: the page of this visit. */
  readonly returnTo?: string;
  /** Asks a user who is signed in, too. */
  readonly isAgain?: boolean;
}

/** The address of the sign-in page, which returns to the page of this visit. */
export function signInAddress({ ctx, url }: Visit, target: SignInTarget = {}): string {
  const { returnTo = ctx.method === 'GET' ? ctx.url : '/profile', isAgain = false } = target;
  const again = isAgain ? '&again=1' : '';
  return url(`/users/sign_in?return_to=${encodeURIComponent(returnTo)}${again}`);
}
