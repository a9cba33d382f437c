import type { Viewer } from '../kernel/viewer.ts';

export const canManageUsers = (viewer: Viewer | null): boolean => viewer?.isAdmin === true;

/** Administrators remove others: one of them is always left. */
export const canRemoveUser = (viewer: Viewer | null, userId: number): boolean =>
  viewer?.isAdmin === true && viewer.id !== userId;

/** E-mail, limits and sign-in times are for oneself and administrators. */
export const canSeePrivateDetails = (viewer: Viewer | null, userId: number): boolean =>
  viewer !== null && (viewer.isAdmin || viewer.id === userId);

/** Further addresses are seen, added and removed by oneself and administrators. */
export const canManageEmails = canSeePrivateDetails;

/** Who was active when is for administrators. */
export const canSeeActivities = canManageUsers;

/** Whether somebody is external, or how a directory knows them, is not to be searched by others. */
export const canSearchAccounts = canManageUsers;

/** Anonymous people may ask for one user by name, never for the list (v4-behaviour 3.1). */
export const canListUsers = (viewer: Viewer | null, username: string | null): boolean =>
  viewer !== null || Boolean(username);
