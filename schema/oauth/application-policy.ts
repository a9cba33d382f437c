import type { Viewer } from '../kernel/viewer.ts';
import type { ApplicationSettings } from '../ports/settings.ts';

/** Whoever registered an application looks after it; administrators after those of the service. */
export const canManageApplication = (
  viewer: Viewer,
  { ownerId }: { readonly ownerId: number | null },
): boolean => (ownerId === null ? viewer.isAdmin : viewer.id === ownerId);

/** Applications that are nobody's own, of which some ask for no consent. */
export const canManageServiceApplications = (viewer: Viewer): boolean => viewer.isAdmin;

/** Registering and changing, which the setting `user_oauth_applications` leaves to administrators. */
export const canRegisterApplications = (
  viewer: Pick<Viewer, 'isAdmin'>,
  settings: Pick<ApplicationSettings, 'userOauthApplications'>,
): boolean => viewer.isAdmin || settings.userOauthApplications;
