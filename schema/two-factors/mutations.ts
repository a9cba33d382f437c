import { builder } from '../kernel/builder.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { canManageUsers } from '../users/policy.ts';
import { User } from '../users/types.ts';
import { confirmTwoFactor, disableTwoFactor } from './change.ts';

builder.mutationFields((t) => ({
  confirmTwoFactor: t.stringList({
    extensions: {
      payload: 'recoveryCodes',
      payloadDescription: 'The recovery codes, each for one sign-in. They are shown once.',
    },
    inPerson: true,
    description:
      'Enables two-factor authentication of the current user and returns the recovery codes, which are shown only once.',
    args: {
      code: t.arg.string({ required: true, description: 'A one-time password of the new secret.' }),
      session: t.arg.string({
        extensions: internal,
        description: 'The token of the browser session that stays signed in; null ends all.',
      }),
    },
    resolve: (_root, { code, session }, ctx) =>
      confirmTwoFactor(signedIn(ctx).id, { code, session: session ?? null }, ctx),
  }),
  disableTwoFactorForUser: t.prismaField({
    type: User,
    inPerson: true,
    description:
      'Disables two-factor authentication of a user who lost the device, and ends all their sessions. Requires an administrator.',
    args: { user: t.arg.int({ required: true, description: 'The id of the user.' }) },
    resolve: async (query, _root, { user: id }, ctx) => {
      if (!canManageUsers(ctx.viewer)) throw forbidden();
      const user = await ctx.db.user.findUnique({ where: { id }, select: { id: true } });
      if (!user) throw notFound('User');
      await disableTwoFactor(id, null, ctx);
      return storedRecord(ctx, 'user', id, query);
    },
  }),
}));
