import type { Viewer } from '../kernel/context.ts';

export const canManageUsers = (viewer: Viewer | null): boolean => viewer?.isAdmin === true;

/** E-mail, limits and sign-in times are for oneself and administrators. */
export const canSeePrivateDetails = (viewer: Viewer | null, userId: number): boolean =>
  viewer !== null && (viewer.isAdmin || viewer.id === userId);

/** Anonymous people may ask for one user by name, never for the list (v4-behaviour 3.1). */
export const canListUsers = (viewer: Viewer | null, username: string | null): boolean =>
  viewer !== null || Boolean(username);
