import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { otherOwners } from './owners.ts';

export const Member = builder.prismaObject('Member', {
  description: 'The membership of a user in a group or project.',
  fields: (t) => ({
    accessLevel: t.exposeInt('accessLevel', {
      description: 'The access level of the user; only groups have owners.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Date',
      nullable: true,
      description: 'The day (UTC) at whose start the membership ends; null for never.',
    }),
    user: t.relation('user', { description: 'The member.' }),
    canBeRemoved: t.boolean({
      description:
        'Whether the membership may end: a personal project keeps its owner as a member, and a group its last owner.',
      select: {
        userId: true,
        accessLevel: true,
        expiresAt: true,
        namespaceId: true,
        project: { select: { namespace: { select: { ownerId: true } } } },
      },
      resolve: async (member, _args, ctx) => {
        const { userId, namespaceId, project } = member;
        if (namespaceId === null) return project?.namespace.ownerId !== userId;
        return member.accessLevel < Access.owner || (await otherOwners(member, ctx)) > 0;
      },
    }),
  }),
});

export const MemberPage = pageType('Member', Member);
