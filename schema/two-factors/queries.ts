import { builder } from '../kernel/builder.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { TwoFactor } from './types.ts';

builder.queryField('twoFactor', (t) =>
  t.field({
    type: TwoFactor,
    inPerson: true,
    description: 'The second factor of the current user.',
    resolve: async (_root, _args, ctx) => {
      const { id: userId } = signedIn(ctx);
      const [user, recoveryCodesLeft] = await Promise.all([
        ctx.db.user.findUniqueOrThrow({
          where: { id: userId },
          select: { isTwoFactorEnabled: true },
        }),
        ctx.db.recoveryCode.count({ where: { userId, usedAt: null } }),
      ]);
      return { isEnabled: user.isTwoFactorEnabled, recoveryCodesLeft };
    },
  }),
);
