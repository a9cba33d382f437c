import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { Account } from '../users/types.ts';
import { TwoFactor } from './types.ts';

builder.queryField('twoFactor', (t) =>
  t.field({
    type: TwoFactor,
    inPerson: true,
    extensions: internal,
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

const recoveryCodesLeft = batched<number, number>(async (userIds, { db }) => {
  const counts = await db.recoveryCode.groupBy({
    by: ['userId'],
    where: { userId: { in: [...userIds] }, usedAt: null },
    _count: true,
  });
  return new Map(counts.map(({ userId, _count }) => [userId, _count]));
}, 0);

builder.prismaObjectField(Account, 'twoFactor', (t) =>
  t.field({
    type: TwoFactor,
    nullable: true,
    inPerson: true,
    description: 'The second factor of the user, without its secret.',
    complexity: statementCost,
    select: { id: true, isTwoFactorEnabled: true },
    resolve: async ({ id, isTwoFactorEnabled }, _args, ctx) => ({
      isEnabled: isTwoFactorEnabled,
      recoveryCodesLeft: await recoveryCodesLeft(id, ctx),
    }),
  }),
);
