import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

/** A user's request to become a member of a group or project. */
export const AccessRequest = builder.prismaObject('AccessRequest', {
  fields: (t) => ({
    requestedAt: t.expose('requestedAt', { type: 'DateTime' }),
    user: t.relation('user'),
  }),
});

export const AccessRequestPage = pageType('AccessRequest', AccessRequest);
