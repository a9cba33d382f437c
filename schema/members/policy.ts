import { Access } from '../kernel/access.ts';

/** Members of a project are its masters' business, members of a group its owners'. */
export const managingLevel = { project: Access.master, group: Access.owner } as const;

export const canManageMembers = (source: 'project' | 'group', level: Access): boolean =>
  level >= managingLevel[source];

/** 50 exists in groups only. */
export const canBeGranted = (source: 'project' | 'group', level: number): boolean =>
  ([Access.guest, Access.reporter, Access.developer, Access.master] as number[]).includes(level) ||
  (source === 'group' && level === Access.owner);
