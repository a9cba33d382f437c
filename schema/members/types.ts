import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

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
  }),
});

export const MemberPage = pageType('Member', Member);
