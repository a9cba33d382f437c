import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The current user, who must be an administrator. */
export function administrator(ctx: Pick<Context, 'viewer'>): Viewer {
  const viewer = signedIn(ctx);
  if (!viewer.isAdmin) throw forbidden();
  return viewer;
}
