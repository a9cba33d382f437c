import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { isActive } from './policy.ts';

export const ImpersonationToken = builder.prismaObject('AccessToken', {
  name: 'ImpersonationToken',
  description: 'A token with which an administrator acts as a user.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'Date', nullable: true }),
    isRevoked: t.boolean({ resolve: ({ revokedAt }) => revokedAt !== null }),
    isActive: t.boolean({ resolve: (token) => isActive(token, new Date()) }),
    token: t.string({
      nullable: true,
      resolve: ({ sealed }, _args, { secrets }) => sealed && secrets.open(sealed),
    }),
  }),
});

export const ImpersonationTokenPage = pageType('ImpersonationToken', ImpersonationToken);

export const PersonalAccessToken = builder.prismaObject('AccessToken', {
  variant: 'PersonalAccessToken',
  description: 'A token that a user created for a program; its value is shown once.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'Date', nullable: true }),
    isRevoked: t.boolean({ resolve: ({ revokedAt }) => revokedAt !== null }),
    isActive: t.boolean({ resolve: (token) => isActive(token, new Date()) }),
  }),
});

export const PersonalAccessTokenPage = pageType('PersonalAccessToken', PersonalAccessToken);
