import type { Context, Viewer } from './context.ts';
import { forbidden, unauthenticated } from './errors.ts';

/** The viewer of what is told to people signed in only, whatever is public (v4-behaviour 1.4). */
export function signedIn({ viewer }: Pick<Context, 'viewer'>): Viewer {
  if (!viewer) throw unauthenticated();
  return viewer;
}

/**
 * The viewer of what makes further credentials. It refuses a program that acts by a lent token: what
 * it made for itself would be left when the token is taken back.
 */
export function inPerson(ctx: Pick<Context, 'viewer' | 'request'>): Viewer {
  const viewer = signedIn(ctx);
  if (ctx.request.isLent) throw forbidden();
  return viewer;
}
