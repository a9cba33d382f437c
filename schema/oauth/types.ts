import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

/** A program that acts for users who allowed it to, as its owner sees it. */
export const OauthApplication = builder.prismaObject('OauthApplication', {
  description: 'A program that acts for people who allowed it to.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    /** The Application ID, `client_id` in OAuth. */
    uid: t.exposeString('uid'),
    redirectUris: t.exposeStringList('redirectUris'),
    scopes: t.exposeStringList('scopes'),
    /** Needs no consent. */
    isTrusted: t.exposeBoolean('isTrusted'),
    /** False: a program on its users' devices, which cannot keep a secret. */
    isConfidential: t.exposeBoolean('isConfidential'),
    /** Without an owner; administrators manage it. */
    isServiceWide: t.boolean({ resolve: ({ ownerId }) => ownerId === null }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const OauthApplicationPage = pageType('OauthApplication', OauthApplication);
