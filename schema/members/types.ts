import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

export const Member = builder.prismaObject('Member', {
  fields: (t) => ({
    accessLevel: t.exposeInt('accessLevel'),
    expiresAt: t.expose('expiresAt', { type: 'Date', nullable: true }),
    user: t.relation('user'),
  }),
});

export const MemberPage = pageType('Member', Member);
