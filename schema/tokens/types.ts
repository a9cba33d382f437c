import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { isActive } from './policy.ts';

/** The fields of both kinds of tokens. */
const about = {
  id: { description: 'The id, unique among all tokens.' },
  name: { description: 'The name, by which users recognize the token.' },
  scopes: { description: 'The scopes: `api`, `read_user`, `openid`.' },
  createdAt: { description: 'When the token was created.' },
  expiresAt: { description: 'The day (UTC) at whose start the token expires; null for never.' },
  isRevoked: { description: 'Whether the token was revoked.' },
  isActive: { description: 'Whether the token is valid now: neither revoked nor expired.' },
} as const;

export const ImpersonationToken = builder.prismaObject('AccessToken', {
  name: 'ImpersonationToken',
  description: 'A token with which an administrator acts as a user. Administrators only.',
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
      description: 'The value of the token; null if it was not kept.',
      nullable: true,
      resolve: ({ sealed }, _args, { secrets }) => sealed && secrets.open(sealed),
    }),
  }),
});

export const ImpersonationTokenPage = pageType('ImpersonationToken', ImpersonationToken);

export const PersonalAccessToken = builder.prismaObject('AccessToken', {
  variant: 'PersonalAccessToken',
  description:
    'A token that a user created for a program. Its value is shown once, when it is created. Its user only.',
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
