import { Access } from '../kernel/access.ts';

/** Listing and changing triggers (v4-behaviour 1.10). */
export const canManageTriggers = (level: Access): boolean => level >= Access.master;

/** The full token acts for its owner: other masters see only its beginning. */
export const canSeeTriggerToken = (viewerId: number, ownerId: number | null): boolean =>
  viewerId === ownerId;
