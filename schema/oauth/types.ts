import { builder } from '../kernel/builder.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';

export const OauthApplication = builder.prismaObject('OauthApplication', {
  description:
    'A program that accesses Millrace for users who authorized it. The user who registered it sees it, and administrators service-wide ones.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id, unique among all applications.' }),
    name: t.exposeString('name', {
      description: 'The name, which users see when they authorize the application.',
    }),
    uid: t.exposeString('uid', {
      description: 'The Application ID, `client_id` in OAuth: 64 hexadecimal digits.',
    }),
    redirectUris: t.expose('redirectUris', {
      type: ['URL'],
      description: 'The URIs to which users may be redirected with an authorization code.',
    }),
    scopes: t.exposeStringList('scopes', {
      description: 'The scopes that the application may request.',
      extensions: publiclyTyped('TokenScope'),
    }),
    isTrusted: t.exposeBoolean('isTrusted', {
      description: 'Whether users need not authorize the application. Service-wide ones only.',
    }),
    isConfidential: t.exposeBoolean('isConfidential', {
      description:
        'Whether the application can keep a secret. False for a program on the devices of its users.',
    }),
    isServiceWide: t.boolean({
      description: 'Whether the application has no owner and administrators manage it.',
      resolve: ({ ownerId }) => ownerId === null,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the application was registered.',
    }),
  }),
});

export const OauthApplicationPage = pageType('OauthApplication', OauthApplication);
