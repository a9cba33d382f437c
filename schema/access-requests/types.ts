import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

export const AccessRequest = builder.prismaObject('AccessRequest', {
  description: 'The pending request of a user to become a member of a group or project.',
  fields: (t) => ({
    createdAt: t.expose('requestedAt', {
      type: 'DateTime',
      description: 'When the user requested access.',
    }),
    user: t.relation('user', { description: 'The user who requests access.' }),
  }),
});

export const AccessRequestPage = pageType('AccessRequest', AccessRequest);
