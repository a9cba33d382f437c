import { randomBytes } from 'node:crypto';
import { builder } from '../kernel/builder.ts';
import { forbidden, invalid } from '../kernel/errors.ts';
import { privateTokenRow } from '../kernel/private-token.ts';
import { createUser } from './create.ts';
import { canManageUsers } from './policy.ts';
import { User } from './types.ts';

const NewUserInput = builder.inputType('NewUser', {
  fields: (t) => ({
    username: t.string({ required: true }),
    email: t.string({ required: true }),
    name: t.string({ required: true }),
    /** Left out only together with `hasRandomPassword`. */
    password: t.string(),
    hasRandomPassword: t.boolean(),
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
    provider: t.string(),
    externUid: t.string(),
  }),
});

builder.mutationField('createUser', (t) =>
  t.prismaField({
    type: User,
    args: { user: t.arg({ type: NewUserInput, required: true }) },
    resolve: async (query, _root, { user }, ctx) => {
      if (!canManageUsers(ctx.viewer)) throw forbidden();
      const { password, hasRandomPassword, provider, externUid, ...rest } = user;
      const known = Object.fromEntries(
        Object.entries(rest).filter(([, value]) => value !== null && value !== undefined),
      ) as typeof rest & { username: string };
      if (!password && !hasRandomPassword) throw invalid({ password: ["can't be blank"] });
      const id = await createUser(
        ctx,
        {
          ...(known as { username: string; email: string; name: string }),
          password: password || randomBytes(24).toString('base64url'),
          identity: provider && externUid ? { provider, externUid } : null,
        },
        privateTokenRow(ctx.secrets),
      );
      return ctx.db.user.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
