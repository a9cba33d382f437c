import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import {
  disableTwoFactor,
  renewTwoFactorCodes,
  startTwoFactorSetUp,
} from '../two-factors/change.ts';
import { TwoFactorSetUp } from '../two-factors/types.ts';
import { User } from '../users/types.ts';
import { requireOwnPassword } from './own-password.ts';

const withPassword = builder.args((t) => ({
  /** The user's password, entered again. */
  password: t.string({ required: true }),
}));

builder.mutationFields((t) => ({
  startTwoFactor: t.field({
    type: TwoFactorSetUp,
    inPerson: true,
    complexity: heavyCost,
    args: withPassword,
    resolve: async (_root, { password }, ctx) =>
      startTwoFactorSetUp(await requireOwnPassword(password, ctx), ctx),
  }),
  regenerateRecoveryCodes: t.stringList({
    inPerson: true,
    complexity: heavyCost,
    args: withPassword,
    resolve: async (_root, { password }, ctx) =>
      renewTwoFactorCodes((await requireOwnPassword(password, ctx)).id, ctx),
  }),
  disableTwoFactor: t.prismaField({
    type: User,
    inPerson: true,
    complexity: heavyCost,
    args: {
      ...withPassword,
      /** The token of the browser session that stays signed in; all others end. */
      session: t.arg.string(),
    },
    resolve: async (query, _root, { password, session }, ctx) => {
      const { id } = await requireOwnPassword(password, ctx);
      await disableTwoFactor(id, session ?? null, ctx);
      return ctx.db.user.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
}));
