import { avatarUrl } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { endingWith, internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { Visibility } from '../settings/types.ts';
import { levelInGroup } from './find.ts';
import { canAdministerGroup, canCreateProjectIn } from './policy.ts';

/** What the settings of a group mean, for their fields in the type and in mutations. */
export const groupDescriptions = {
  lfsEnabled: {
    description: 'Whether Git LFS is served; in a project, only if all groups above serve it.',
    extensions: endingWith({ creating: 'Default: true.' }),
  },
  requestAccessEnabled: {
    description: 'Whether users can request access.',
    extensions: endingWith({ creating: 'Default: false.' }),
  },
} as const;

const about = groupDescriptions;

export const Group = builder.prismaObject('Namespace', {
  variant: 'Group',
  description: 'A container of projects and subgroups, whose members have access to all of them.',
  fields: (t) => ({
    id: t.exposeInt('id', {
      description:
        'The id, unique among all groups and namespaces: `Group:7` and `Namespace:7` are the same record, and arguments accept both.',
    }),
    name: t.exposeString('name', { description: 'The name, unique in the parent group.' }),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullName: t.exposeString('fullName', {
      description: 'The names of the ancestors and the group, such as `Tools / CI`.',
    }),
    fullPath: t.exposeString('fullPath', {
      description: 'The paths of the ancestors and the group, such as `tools/ci`.',
    }),
    description: t.exposeString('description', { description: 'The description; empty for none.' }),
    visibility: t.expose('visibility', { type: Visibility, description: 'Who sees the group.' }),
    lfsEnabled: t.exposeBoolean('lfsEnabled', about.lfsEnabled),
    requestAccessEnabled: t.exposeBoolean('requestAccessEnabled', about.requestAccessEnabled),
    parentId: t.exposeInt('parentId', { nullable: true, extensions: internal }),
    accessLevel: t.int({
      description:
        'The access level of the current user, as a member of the group or of its ancestors. A public or internal group can be seen without access. Administrators are owners.',
      select: { ancestorIds: true },
      resolve: (group, _args, { viewer }) => levelInGroup(viewer, group),
    }),
    canAdminister: t.boolean({
      description:
        'Whether the current user may change the group and its members, and create subgroups.',
      select: { ancestorIds: true },
      resolve: (group, _args, { viewer }) => canAdministerGroup(levelInGroup(viewer, group)),
    }),
    canCreateProjects: t.boolean({
      description: 'Whether the current user may create projects in the group.',
      select: { ancestorIds: true },
      resolve: (group, _args, { viewer }) => canCreateProjectIn(levelInGroup(viewer, group)),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the group was created.',
    }),
    avatarUrl: t.field({
      type: 'URL',
      description: 'The URL of the uploaded avatar; null for none.',
      nullable: true,
      resolve: (group, _args, { baseUrl }) => avatarUrl('group', group, baseUrl),
    }),
    webUrl: t.field({
      type: 'URL',
      description: 'The URL of the page of the group.',
      resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/groups/${fullPath}`,
    }),
  }),
});

export const GroupPage = pageType('Group', Group);
