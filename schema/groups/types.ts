import { avatarUrl } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { Visibility } from '../settings/types.ts';

export const Group = builder.prismaObject('Namespace', {
  variant: 'Group',
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    path: t.exposeString('path'),
    fullName: t.exposeString('fullName'),
    fullPath: t.exposeString('fullPath'),
    description: t.exposeString('description'),
    visibility: t.expose('visibility', { type: Visibility }),
    lfsEnabled: t.exposeBoolean('lfsEnabled'),
    requestAccessEnabled: t.exposeBoolean('requestAccessEnabled'),
    parentId: t.exposeInt('parentId', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    avatarUrl: t.string({
      nullable: true,
      resolve: (group, _args, { baseUrl }) => avatarUrl('group', group, baseUrl),
    }),
    webUrl: t.string({
      resolve: ({ fullPath }, _args, { baseUrl }) => `${baseUrl}/groups/${fullPath}`,
    }),
  }),
});

export const GroupPage = pageType('Group', Group);
