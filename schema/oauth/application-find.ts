import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { canManageApplication, canRegisterApplications } from './application-policy.ts';

export const applicationNotFound = () => notFound('Application');

/** An application that the viewer may manage; others are not found. */
export async function findApplication(
  id: number,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<OauthApplication> {
  const viewer = signedIn(ctx);
  const application = await ctx.db.oauthApplication.findUnique({ where: { id } });
  if (!application || !canManageApplication(viewer, application)) throw applicationNotFound();
  return application;
}

/** Throws `forbidden` unless the current user may register applications and change their own. */
export function requireRegistrationAllowed(ctx: Pick<Context, 'viewer' | 'settings'>): void {
  if (!canRegisterApplications(signedIn(ctx), ctx.settings.current)) throw forbidden();
}
