import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { storedRecord } from '../listing/records.ts';
import {
  disableTwoFactor,
  renewTwoFactorCodes,
  startTwoFactorSetUp,
} from '../two-factors/change.ts';
import { TwoFactorSetUp } from '../two-factors/types.ts';
import { User } from '../users/types.ts';
import { requireOwnPassword, withPassword } from './own-password.ts';

builder.mutationFields((t) => ({
  startTwoFactor: t.field({
    type: TwoFactorSetUp,
    inPerson: true,
    complexity: heavyCost,
    description:
      'Creates a secret for two-factor authentication of the current user; `confirmTwoFactor` enables it.',
    args: withPassword,
    resolve: async (_root, { password }, ctx) =>
      startTwoFactorSetUp(await requireOwnPassword(password, ctx), ctx),
  }),
  resetRecoveryCodes: t.stringList({
    extensions: {
      payload: 'recoveryCodes',
      payloadDescription: 'The new recovery codes, each for one sign-in. They are shown once.',
    },
    inPerson: true,
    complexity: heavyCost,
    description:
      'Replaces the recovery codes of the current user; the new ones are shown only once.',
    args: withPassword,
    resolve: async (_root, { password }, ctx) =>
      renewTwoFactorCodes((await requireOwnPassword(password, ctx)).id, ctx),
  }),
  disableTwoFactor: t.prismaField({
    type: User,
    inPerson: true,
    complexity: heavyCost,
    description:
      'Disables two-factor authentication of the current user and ends the browser sessions of the user.',
    args: {
      ...withPassword,
      session: t.arg.string({
        extensions: internal,
        description: 'The token of the browser session that stays signed in; null ends all.',
      }),
    },
    resolve: async (query, _root, { password, session }, ctx) => {
      const { id } = await requireOwnPassword(password, ctx);
      await disableTwoFactor(id, session ?? null, ctx);
      return storedRecord(ctx, 'user', id, query);
    },
  }),
}));
