import type { Context, Viewer } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';

/** The current user, who must be an administrator. */
export function administrator(ctx: Pick<Context, 'viewer'>): Viewer {
  const viewer = signedIn(ctx);
  if (!viewer.isAdmin) throw forbidden();
  return viewer;
}
