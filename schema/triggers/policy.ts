import { Access } from '../kernel/access.ts';

/** Which there are, and every change of them (v4-behaviour 1.10). */
export const canManageTriggers = (level: Access): boolean => level >= Access.master;

/** Whoever has the whole token acts in the owner's name: other masters tell it by its beginning. */
export const canSeeTriggerToken = (viewerId: number, ownerId: number | null): boolean =>
  viewerId === ownerId;
