import type { Context } from './context.ts';
import { unauthenticated } from './errors.ts';
import type { Viewer } from './viewer.ts';

/**
 * The current user. Throws `unauthenticated` for anonymous users, even where the data is public
 * (v4-behaviour 1.4).
 */
export function signedIn({ viewer }: Pick<Context, 'viewer'>): Viewer {
  if (!viewer) throw unauthenticated();
  return viewer;
}
