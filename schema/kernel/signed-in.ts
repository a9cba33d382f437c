import type { Context } from './context.ts';
import { unauthenticated } from './errors.ts';
import type { Viewer } from './viewer.ts';

/** The viewer of what is told to people signed in only, whatever is public (v4-behaviour 1.4). */
export function signedIn({ viewer }: Pick<Context, 'viewer'>): Viewer {
  if (!viewer) throw unauthenticated();
  return viewer;
}
