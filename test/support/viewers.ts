import type { Viewer } from '../../schema/kernel/viewer.ts';

/** A regular user without memberships. */
export const regularUser: Viewer = {
  id: 7,
  username: 'ada',
  createdAt: new Date(0),
  isAdmin: false,
  isExternal: false,
  canCreateGroup: true,
  groupLevels: new Map(),
  groupPathIds: [],
  reachableIds: [],
  projectIds: [],
  knownGroupIds: [],
  validUntil: null,
  namespaceId: null,
};

export const external: Viewer = { ...regularUser, isExternal: true };

export const administrator: Viewer = { ...regularUser, id: 1, username: 'root', isAdmin: true };
