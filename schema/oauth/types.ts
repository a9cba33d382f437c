import { builder } from '../kernel/builder.ts';
import { pageType } from '../kernel/page.ts';

/** A program that acts for people who allowed it to, as whoever registered it sees it. */
export const OauthApplication = builder.prismaObject('OauthApplication', {
  description: 'A program that acts for people who allowed it to.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    /** The Application ID: what programs call `client_id`. */
    uid: t.exposeString('uid'),
    redirectUris: t.exposeStringList('redirectUris'),
    scopes: t.exposeStringList('scopes'),
    /** Asks nobody for consent. */
    isTrusted: t.exposeBoolean('isTrusted'),
    /** False: a program in the hands of its users, which can keep no secret. */
    isConfidential: t.exposeBoolean('isConfidential'),
    /** Nobody's own: administrators look after it. */
    isServiceWide: t.boolean({ resolve: ({ ownerId }) => ownerId === null }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const OauthApplicationPage = pageType('OauthApplication', OauthApplication);
