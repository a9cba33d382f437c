import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { inPerson, signedIn } from '../kernel/signed-in.ts';
import { canManageApplication, canRegisterApplications } from './application-policy.ts';

export const noApplication = () => notFound('Application');

/** One that the viewer looks after; anybody else's is not there for them. */
export async function findApplication(
  id: number,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<OauthApplication> {
  const viewer = signedIn(ctx);
  const application = await ctx.db.oauthApplication.findUnique({ where: { id } });
  if (!application || !canManageApplication(viewer, application)) throw noApplication();
  return application;
}

/** Refuses who may register no applications, nor change theirs, and programs that act for them. */
export function refuseRegistering(ctx: Pick<Context, 'request' | 'viewer' | 'settings'>): void {
  if (!canRegisterApplications(inPerson(ctx), ctx.settings.current)) throw forbidden();
}
