import { builder } from '../kernel/builder.ts';
import { internal, publiclyTyped } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { isActive } from './policy.ts';

builder.enumType('TokenScope', {
  description: 'What an access token may do, at most: its user may do less.',
  values: {
    api: { description: 'Everything that its user may do, over the API and git over HTTP.' },
    read_user: { description: 'Read the profile of its user.' },
    openid: { description: 'Identify its user to an application, by OpenID Connect.' },
    profile: {
      description:
        'Read the name, the avatar and the groups of its user by OpenID Connect, as `openid` does. For applications only.',
    },
    email: {
      description:
        'Read the primary e-mail address of its user by OpenID Connect. For applications only.',
    },
  },
});

/** The fields of both kinds of tokens. */
const about = {
  id: { description: 'The id, unique among all tokens.' },
  name: { description: 'The name, by which users recognize the token.' },
  scopes: { description: 'What the token may do.', extensions: publiclyTyped('TokenScope') },
  createdAt: { description: 'When the token was created.' },
  expiresAt: { description: 'The day (UTC) at whose start the token expires; null for never.' },
  isRevoked: { description: 'Whether the token was revoked.' },
  isActive: { description: 'Whether the token is valid now: neither revoked nor expired.' },
} as const;

export const ImpersonationToken = builder.prismaObject('AccessToken', {
  name: 'ImpersonationToken',
  description:
    'A token with which administrators act as a user. Its value is shown once, when it is created. Only administrators see it.',
  fields: (t) => ({
    id: t.exposeInt('id', about.id),
    name: t.exposeString('name', about.name),
    scopes: t.exposeStringList('scopes', about.scopes),
    createdAt: t.expose('createdAt', { type: 'DateTime', ...about.createdAt }),
    expiresAt: t.expose('expiresAt', { type: 'Date', nullable: true, ...about.expiresAt }),
    isRevoked: t.boolean({
      ...about.isRevoked,
      resolve: ({ revokedAt }) => revokedAt !== null,
    }),
    isActive: t.boolean({ ...about.isActive, resolve: (token) => isActive(token, new Date()) }),
    token: t.string({
      extensions: internal,
      nullable: true,
      resolve: ({ sealed }, _args, { secrets }) => sealed && secrets.open(sealed),
    }),
  }),
});

export const ImpersonationTokenPage = pageType('ImpersonationToken', ImpersonationToken);

export const PersonalAccessToken = builder.prismaObject('AccessToken', {
  variant: 'PersonalAccessToken',
  description:
    'A token that a user created for a program. Its value is shown once, when it is created. Only its user sees it.',
  fields: (t) => ({
    id: t.exposeInt('id', about.id),
    name: t.exposeString('name', about.name),
    scopes: t.exposeStringList('scopes', about.scopes),
    createdAt: t.expose('createdAt', { type: 'DateTime', ...about.createdAt }),
    expiresAt: t.expose('expiresAt', { type: 'Date', nullable: true, ...about.expiresAt }),
    isRevoked: t.boolean({
      ...about.isRevoked,
      resolve: ({ revokedAt }) => revokedAt !== null,
    }),
    isActive: t.boolean({ ...about.isActive, resolve: (token) => isActive(token, new Date()) }),
  }),
});

export const PersonalAccessTokenPage = pageType('PersonalAccessToken', PersonalAccessToken);
