import type { Viewer } from '../kernel/viewer.ts';

export const canManageUsers = (viewer: Viewer | null): boolean => viewer?.isAdmin === true;

/** Administrators remove other users, so one of them always remains. */
export const canRemoveUser = (viewer: Viewer | null, userId: number): boolean =>
  viewer?.isAdmin === true && viewer.id !== userId;

/** Only the user and administrators see e-mail, limits and sign-in times. */
export const canSeePrivateDetails = (viewer: Viewer | null, userId: number): boolean =>
  viewer !== null && (viewer.isAdmin || viewer.id === userId);

/** Only the user and administrators see, add and remove further addresses. */
export const canManageEmails = canSeePrivateDetails;

/** Only administrators decide that an address belongs to a user. */
export const canVerifyEmails = canManageUsers;

/** Only administrators see when users were active. */
export const canSeeActivities = canManageUsers;

/** Only administrators may search by the external flag or by directory identity. */
export const canSearchAccounts = canManageUsers;

/** Anonymous users may look up one user by name, but not list users (v4-behaviour 3.1). */
export const canListUsers = (viewer: Viewer | null, username: string | null): boolean =>
  viewer !== null || Boolean(username);
