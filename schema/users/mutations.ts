import { randomBytes } from 'node:crypto';
import { refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { forbidden, invalid } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import { done } from '../kernel/results.ts';
import { createUser } from './create.ts';
import { identityOf } from './faults.ts';
import { canManageUsers } from './policy.ts';
import { removeUser } from './remove.ts';
import { blockUser, unblockUser } from './states.ts';
import { User } from './types.ts';
import { updateUser } from './update.ts';

type Fields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

const details = (t: Fields) => ({
  isAdmin: t.boolean(),
  isExternal: t.boolean(),
  canCreateGroup: t.boolean(),
  projectsLimit: t.int(),
  bio: t.string(),
  location: t.string(),
  organization: t.string(),
  skype: t.string(),
  linkedin: t.string(),
  twitter: t.string(),
  websiteUrl: t.string(),
  /** The external directory; requires `externUid`. */
  provider: t.string(),
  externUid: t.string(),
  /** Null removes the avatar. */
  avatar: t.field({ type: 'Upload' }),
});

/** The texts of a user that null clears. */
const clearable = ['bio', 'location', 'organization'] as const;

const NewUserInput = builder.inputType('NewUser', {
  fields: (t) => ({
    ...details(t),
    username: t.string({ required: true }),
    email: t.string({ required: true }),
    name: t.string({ required: true }),
    /** May be omitted only together with `hasRandomPassword`. */
    password: t.string(),
    hasRandomPassword: t.boolean(),
  }),
});

const UserChangeInput = builder.inputType('UserChange', {
  fields: (t) => ({
    ...details(t),
    username: t.string(),
    email: t.string(),
    name: t.string(),
    password: t.string(),
  }),
});

const idArgs = builder.args((t) => ({ id: t.int({ required: true }) }));

builder.mutationFields((t) => ({
  createUser: t.prismaField({
    type: User,
    inPerson: true,
    complexity: heavyCost,
    args: { user: t.arg({ type: NewUserInput, required: true }) },
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
      };
      await refuseBadAvatar(avatar, ctx);
      const id = await createUser(ctx, user, privateTokenRow(ctx.secrets));
      await replaceAvatar({ kind: 'user', id }, avatar, ctx);
      return ctx.db.user.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  updateUser: t.prismaField({
    type: User,
    inPerson: true,
    complexity: heavyCost,
    args: { ...idArgs, user: t.arg({ type: UserChangeInput, required: true }) },
    resolve: async (query, _root, { id, user: { avatar, ...user } }, ctx) => {
      const { provider, externUid, ...columns } = given(user, clearable);
      const change = { ...columns, identity: identityOf({ provider, externUid }) };
      await updateUser(id, change, ctx, avatar);
      return ctx.db.user.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteUser: t.boolean({
    args: {
      ...idArgs,
      /** Also deletes groups of which the user is the only owner. */
      isHard: t.arg.boolean(),
    },
    resolve: (_root, { id, isHard }, ctx) => done(removeUser(id, isHard === true, ctx)),
  }),
  blockUser: t.boolean({
    description: 'Whether this changed anything.',
    args: idArgs,
    resolve: (_root, { id }, ctx) => blockUser(id, ctx),
  }),
  unblockUser: t.boolean({
    description: 'Whether this changed anything.',
    args: idArgs,
    resolve: (_root, { id }, ctx) => unblockUser(id, ctx),
  }),
}));
