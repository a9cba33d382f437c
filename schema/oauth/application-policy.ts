import type { Viewer } from '../kernel/viewer.ts';
import type { ApplicationSettings } from '../ports/settings.ts';

/** Users manage the applications they registered, administrators the service-wide ones. */
export const canManageApplication = (
  viewer: Viewer,
  { ownerId }: { readonly ownerId: number | null },
): boolean => (ownerId === null ? viewer.isAdmin : viewer.id === ownerId);

/** Service-wide applications have no owner and may skip consent. */
export const canManageServiceApplications = (viewer: Viewer): boolean => viewer.isAdmin;

/**
 * Registering and changing, which the setting `user_oauth_applications` can limit to
 * administrators.
 */
export const canRegisterApplications = (
  viewer: Pick<Viewer, 'isAdmin'>,
  settings: Pick<ApplicationSettings, 'userOauthApplications'>,
): boolean => viewer.isAdmin || settings.userOauthApplications;
