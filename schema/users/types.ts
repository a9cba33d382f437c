import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { pageType } from '../listing/page-types.ts';
import { userAvatarUrl } from './picture.ts';
import { canSeePrivateDetails } from './policy.ts';

export const UserState = builder.enumType('UserState', {
  values: ['active', 'blocked', 'ldap_blocked'] as const,
});

export const User = builder.prismaObject('User', {
  fields: (t) => {
    /** A field for the user and administrators only; null for other callers. */
    const isOpen = (user: { id: number }, ctx: Context) =>
      canSeePrivateDetails(ctx.viewer, user.id);
    return {
      id: t.exposeInt('id'),
      username: t.exposeString('username'),
      name: t.exposeString('name'),
      state: t.expose('state', { type: UserState }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      bio: t.exposeString('bio', { nullable: true }),
      location: t.exposeString('location', { nullable: true }),
      skype: t.exposeString('skype'),
      linkedin: t.exposeString('linkedin'),
      twitter: t.exposeString('twitter'),
      websiteUrl: t.exposeString('websiteUrl'),
      organization: t.exposeString('organization', { nullable: true }),
      avatarUrl: t.string({
        nullable: true,
        resolve: (user, _args, ctx) => userAvatarUrl(user, ctx),
      }),
      webUrl: t.string({
        resolve: ({ username }, _args, { baseUrl }) => `${baseUrl}/${username}`,
      }),
      email: t.string({
        nullable: true,
        resolve: (user, _args, ctx) => (isOpen(user, ctx) ? user.email : null),
      }),
      isAdmin: t.boolean({
        nullable: true,
        resolve: (user, _args, ctx) => (isOpen(user, ctx) ? user.isAdmin : null),
      }),
      isExternal: t.boolean({
        nullable: true,
        resolve: (user, _args, ctx) => (isOpen(user, ctx) ? user.isExternal : null),
      }),
      account: t.variant(Account, {
        isNull: (user, _args, ctx) => !canSeePrivateDetails(ctx.viewer, user.id),
      }),
    };
  },
});

/** The user fields that only the user and administrators see. */
export const Account = builder.prismaObject('User', {
  variant: 'Account',
  fields: (t) => ({
    themeId: t.exposeInt('themeId'),
    colorSchemeId: t.exposeInt('colorSchemeId'),
    projectsLimit: t.exposeInt('projectsLimit'),
    canCreateGroup: t.exposeBoolean('canCreateGroup'),
    canCreateProject: t.boolean({
      resolve: ({ projectsLimit }) => projectsLimit > 0,
    }),
    isTwoFactorEnabled: t.exposeBoolean('isTwoFactorEnabled'),
    confirmedAt: t.expose('confirmedAt', { type: 'DateTime', nullable: true }),
    currentSignInAt: t.expose('currentSignInAt', { type: 'DateTime', nullable: true }),
    lastSignInAt: t.expose('lastSignInAt', { type: 'DateTime', nullable: true }),
    lastActivityOn: t.expose('lastActivityOn', { type: 'Date', nullable: true }),
    identities: t.relation('identities', { query: { orderBy: { id: 'asc' } } }),
  }),
});

export const Identity = builder.prismaObject('Identity', {
  fields: (t) => ({
    provider: t.exposeString('provider'),
    externUid: t.exposeString('externUid'),
  }),
});

export const UserPage = pageType('User', User);

/** A further address of a user. */
export const Email = builder.prismaObject('Email', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    email: t.exposeString('email'),
  }),
});

export const EmailPage = pageType('Email', Email);
