import { Access } from '../kernel/access.ts';

/** Masters manage a project's members, owners a group's. */
const managingLevel = { project: Access.master, group: Access.owner } as const;

export const canManageMembers = (source: 'project' | 'group', level: Access): boolean =>
  level >= managingLevel[source];

/** Level 50 exists in groups only. */
export const canBeGranted = (source: 'project' | 'group', level: number): boolean =>
  ([Access.guest, Access.reporter, Access.developer, Access.master] as number[]).includes(level) ||
  (source === 'group' && level === Access.owner);
