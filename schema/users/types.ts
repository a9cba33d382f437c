import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal, publiclyNullFor } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { userAvatarUrl } from './picture.ts';
import { canSeePrivateDetails } from './policy.ts';

export const UserState = builder.enumType('UserState', {
  description: 'Whether a user may sign in.',
  values: {
    active: { description: 'The user may sign in.' },
    blocked: {
      description: 'An administrator blocked the user, whose tokens and sessions are rejected.',
    },
    ldap_blocked: {
      description: 'The directory no longer has the user, who is blocked until it has.',
    },
  } as const,
});

export const User = builder.prismaObject('User', {
  description: 'An account. All callers see its public fields.',
  fields: (t) => {
    /** A field for the user and administrators only; null for other callers. */
    const isOpen = (user: { id: number }, ctx: Context) =>
      canSeePrivateDetails(ctx.viewer, user.id);
    return {
      id: t.exposeInt('id', { description: 'The id, unique among all users.' }),
      username: t.exposeString('username', {
        description: 'The username, unique among users and groups, ignoring case.',
      }),
      name: t.exposeString('name', { description: 'The full name.' }),
      state: t.expose('state', { type: UserState, description: 'Whether the user may sign in.' }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        description: 'When the account was created.',
      }),
      bio: t.exposeString('bio', {
        nullable: true,
        description: 'A text about the user; null for none.',
      }),
      location: t.exposeString('location', {
        nullable: true,
        description: 'Where the user lives; null if not given.',
      }),
      skype: t.exposeString('skype', {
        extensions: publiclyNullFor(''),
        description: 'The Skype name; null for none.',
      }),
      linkedin: t.exposeString('linkedin', {
        extensions: publiclyNullFor(''),
        description: 'The LinkedIn name; null for none.',
      }),
      twitter: t.exposeString('twitter', {
        extensions: publiclyNullFor(''),
        description: 'The Twitter name; null for none.',
      }),
      websiteUrl: t.exposeString('websiteUrl', {
        extensions: publiclyNullFor(''),
        description: 'The URL of a website; null for none.',
      }),
      organization: t.exposeString('organization', {
        nullable: true,
        description: 'The organization of the user; null if not given.',
      }),
      avatarUrl: t.field({
        type: 'URL',
        description:
          'The URL of the avatar: the uploaded one, or one of gravatar.com if the setting `avatarServiceEnabled` is on; null for none.',
        nullable: true,
        resolve: (user, _args, ctx) => userAvatarUrl(user, ctx),
      }),
      webUrl: t.field({
        type: 'URL',
        description: 'The URL of the page of the user.',
        resolve: ({ username }, _args, { baseUrl }) => `${baseUrl}/${username}`,
      }),
      email: t.string({
        description: 'The primary e-mail address. Null except for the user and administrators.',
        nullable: true,
        resolve: (user, _args, ctx) => (isOpen(user, ctx) ? user.email : null),
      }),
      isEmailVerified: t.boolean({
        description:
          'Whether the primary e-mail address is verified: an administrator entered or verified it, or a directory gave it. Null except for the user and administrators.',
        nullable: true,
        resolve: (user, _args, ctx) => (isOpen(user, ctx) ? user.emailVerifiedAt !== null : null),
      }),
      isAdmin: t.boolean({
        description:
          'Whether the user is an administrator. Null except for the user and administrators.',
        nullable: true,
        resolve: (user, _args, ctx) => (isOpen(user, ctx) ? user.isAdmin : null),
      }),
      isExternal: t.boolean({
        description:
          'Whether the user is external: such users see no internal projects. Null except for the user and administrators.',
        nullable: true,
        resolve: (user, _args, ctx) => (isOpen(user, ctx) ? user.isExternal : null),
      }),
      account: t.variant(Account, {
        description: 'The private fields. Null except for the user and administrators.',
        isNull: (user, _args, ctx) => !canSeePrivateDetails(ctx.viewer, user.id),
      }),
    };
  },
});

export const Account = builder.prismaObject('User', {
  variant: 'Account',
  description: 'The fields of a user that only the user and administrators see.',
  fields: (t) => ({
    themeId: t.exposeInt('themeId', {
      extensions: internal,
      description: 'The number of a color theme. Stored for clients; it has no effect.',
    }),
    colorSchemeId: t.exposeInt('colorSchemeId', {
      extensions: internal,
      description: 'The number of a color scheme for code. Stored for clients; it has no effect.',
    }),
    projectsLimit: t.exposeInt('projectsLimit', {
      description: 'The highest number of personal projects.',
    }),
    canCreateGroup: t.exposeBoolean('canCreateGroup', {
      description: 'Whether the user may create groups.',
    }),
    canCreateProject: t.boolean({
      description:
        'Whether the user may have personal projects: whether `projectsLimit` is above 0. It stays true if the limit is reached.',
      resolve: ({ projectsLimit }) => projectsLimit > 0,
    }),
    isTwoFactorEnabled: t.exposeBoolean('isTwoFactorEnabled', {
      extensions: internal,
      description: 'Whether signing in requires a second factor.',
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the account was confirmed: the time of its creation. Null if it was not.',
    }),
    currentSignInAt: t.expose('currentSignInAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the user last signed in; null for never.',
    }),
    lastSignInAt: t.expose('lastSignInAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The sign-in before `currentSignInAt`, or the same time if there was one only; null for never.',
    }),
    lastActivityOn: t.expose('lastActivityOn', {
      type: 'Date',
      nullable: true,
      description: 'The day (UTC) on which the user last signed in or used git; null for never.',
    }),
    identities: t.relation('identities', {
      description: 'The identities of the user in external directories, the oldest first.',
      query: { orderBy: { id: 'asc' } },
    }),
  }),
});

export const Identity = builder.prismaObject('Identity', {
  description: 'The identity of a user in an external directory.',
  fields: (t) => ({
    provider: t.exposeString('provider', {
      description: 'The name of the directory, such as `ldapmain`.',
    }),
    externUid: t.exposeString('externUid', {
      description: 'The name of the user in the directory; for LDAP the distinguished name.',
    }),
  }),
});

export const UserPage = pageType('User', User);

export const Email = builder.prismaObject('Email', {
  description: 'A further e-mail address of a user. The user and administrators see it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the e-mail address.' }),
    email: t.exposeString('email', { description: 'The e-mail address.' }),
    isVerified: t.boolean({
      description: 'Whether it is verified: an administrator entered or verified it.',
      select: { verifiedAt: true },
      resolve: ({ verifiedAt }) => verifiedAt !== null,
    }),
  }),
});

export const EmailPage = pageType('Email', Email);
