import { randomBytes } from 'node:crypto';
import { refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import { builder, type InputFields } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { forbidden, invalid } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import { endingWith, internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { createUser } from './create.ts';
import { rightsOfExternal } from './external-rights.ts';
import { identityOf } from './faults.ts';
import { canManageUsers } from './policy.ts';
import { removeUser } from './remove.ts';
import { blockUser, unblockUser } from './states.ts';
import { User } from './types.ts';
import { updateUser } from './update.ts';

const username = 'The username, which no other user or group may have, ignoring case.';
const email = 'The e-mail address, which no other user may have.';

const details = (t: InputFields) => ({
  isAdmin: t.boolean({
    description: 'Whether the user is an administrator. Only administrators may set it.',
  }),
  isExternal: t.boolean({
    description:
      'Whether the user is external: such users see no internal projects, and create no groups, personal projects and personal snippets. Setting it sets `canCreateGroup` to false and `projectsLimit` to 0. Only administrators may set it.',
  }),
  canCreateGroup: t.boolean({
    description: 'Whether the user may create groups. Only administrators may set it.',
  }),
  projectsLimit: t.int({
    description: 'The highest number of personal projects. Only administrators may set it.',
    extensions: endingWith({ creating: 'Default: the setting `defaultProjectsLimit`.' }),
  }),
  bio: t.string({
    description: 'A text about the user.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  location: t.string({
    description: 'Where the user lives.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  organization: t.string({
    description: 'The organization of the user.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  skype: t.string({ description: 'The Skype name.' }),
  linkedin: t.string({ description: 'The LinkedIn name.' }),
  twitter: t.string({ description: 'The Twitter name.' }),
  websiteUrl: t.string({ description: 'The URL of a website.' }),
  provider: t.string({
    description:
      'The name of the external directory; requires `externUid`. Only administrators may set it.',
  }),
  externUid: t.string({ description: 'The identity of the user in the directory `provider`.' }),
  avatar: t.field({
    type: 'Upload',
    description: 'An image of at most 200 KB.',
    extensions: endingWith({ updating: 'Null removes the avatar.' }),
  }),
});

/** The texts of a user that null clears. */
const clearable = ['bio', 'location', 'organization'] as const;

const NewUserInput = builder.inputType('NewUser', {
  fields: (t) => ({
    ...details(t),
    username: t.string({ required: true, description: username }),
    email: t.string({ required: true, description: email }),
    name: t.string({ required: true, description: 'The full name.' }),
    password: t.string({
      description:
        'The password, at least 8 characters. Required unless `hasRandomPassword` is true.',
    }),
    hasRandomPassword: t.boolean({
      description: 'Whether the user gets a random password, which is not shown to any user.',
    }),
  }),
});

const UserChangeInput = builder.inputType('UserChange', {
  fields: (t) => ({
    ...details(t),
    username: t.string({ description: username }),
    email: t.string({ description: email }),
    isEmailVerified: t.boolean({
      description:
        'Whether the primary e-mail address belongs to the user. Only verified addresses identify users: as authors of commits, in imports, and when members are added by an address. Another address that an administrator enters is verified without it.',
    }),
    name: t.string({ description: 'The full name.' }),
    password: t.string({
      description: 'The new password, at least 8 characters; the sessions of the user end.',
    }),
  }),
});

const UserStateChange = builder
  .objectRef<{ readonly id: number; readonly hasChanged: boolean }>('UserStateChange')
  .implement({
    description: 'The result of blocking or unblocking a user.',
    extensions: { isPayload: true },
    fields: (t) => ({
      hasChanged: t.exposeBoolean('hasChanged', { extensions: internal }),
      user: t.prismaField({
        type: User,
        description: 'The user.',
        resolve: (query, { id }, _args, ctx) => storedRecord(ctx, 'user', id, query),
      }),
    }),
  });

const idArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the user.' }),
}));

builder.mutationFields((t) => ({
  createUser: t.prismaField({
    type: User,
    inPerson: true,
    complexity: heavyCost,
    description: 'Creates a user. Requires an administrator.',
    args: { user: t.arg({ type: NewUserInput, required: true, description: 'The user.' }) },
    resolve: async (query, _root, args, ctx) => {
      if (!canManageUsers(ctx.viewer)) throw forbidden();
      const { username, email, name, password, hasRandomPassword, avatar, ...rest } = args.user;
      const { provider, externUid, ...columns } = given(rest, clearable);
      if (!password && !hasRandomPassword) throw invalid({ password: ["can't be blank"] });
      const user = {
        ...columns,
        username,
        email,
        name,
        password: password || randomBytes(24).toString('base64url'),
        identity: identityOf({ provider, externUid }),
        isPasswordGiven: true,
        isEmailVerified: true,
        ...(columns.isExternal && rightsOfExternal),
      };
      await refuseBadAvatar(avatar, ctx);
      const id = await createUser(ctx, user, privateTokenRow(ctx.secrets));
      await replaceAvatar({ kind: 'user', id }, avatar, ctx);
      return storedRecord(ctx, 'user', id, query);
    },
  }),
  updateUser: t.prismaField({
    type: User,
    inPerson: true,
    complexity: heavyCost,
    description: 'Changes a user; absent fields stay as they are. Requires an administrator.',
    args: {
      ...idArgs,
      user: t.arg({ type: UserChangeInput, required: true, description: 'The user.' }),
    },
    resolve: async (query, _root, { id, user: { avatar, ...user } }, ctx) => {
      const { provider, externUid, ...columns } = given(user, clearable);
      const change = { ...columns, identity: identityOf({ provider, externUid }) };
      await updateUser(id, change, ctx, avatar);
      return storedRecord(ctx, 'user', id, query);
    },
  }),
  deleteUser: t.id({
    extensions: { identifies: 'User' },
    description:
      'Deletes a user. The user is hidden at once; a background job deletes the data. Requires an administrator; administrators cannot delete themselves.',
    args: {
      ...idArgs,
      deletesOwnedGroups: t.arg.boolean({
        description:
          'Whether groups of which the user is the only owner are deleted, too; if not, such a group is an error CONFLICT. Default: false.',
      }),
    },
    resolve: (_root, { id, deletesOwnedGroups }, ctx) =>
      done(removeUser(id, deletesOwnedGroups === true, ctx), id),
  }),
  blockUser: t.field({
    type: UserStateChange,
    description:
      'Blocks a user: all their sessions end, and their tokens do not work until they are unblocked. Requires an administrator; administrators cannot block themselves.',
    extensions: { identifies: 'User' },
    args: idArgs,
    resolve: async (_root, { id }, ctx) => ({ id, hasChanged: await blockUser(id, ctx) }),
  }),
  unblockUser: t.field({
    type: UserStateChange,
    description: 'Unblocks a user, who can sign in again. Requires an administrator.',
    extensions: { identifies: 'User' },
    args: idArgs,
    resolve: async (_root, { id }, ctx) => ({ id, hasChanged: await unblockUser(id, ctx) }),
  }),
}));
