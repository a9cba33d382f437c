import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { Account, User } from '../users/types.ts';
import { changePassword } from './change-password.ts';

builder.mutationField('changePassword', (t) =>
  t.prismaField({
    type: User,
    inPerson: true,
    description:
      'Changes the password of the current user and ends the browser sessions of the user.',
    complexity: heavyCost,
    args: {
      currentPassword: t.arg.string({ required: true, description: 'The current password.' }),
      newPassword: t.arg.string({
        required: true,
        description: 'The new password, at least 8 characters.',
      }),
      session: t.arg.string({
        extensions: internal,
        description: 'The token of the browser session that stays signed in; null ends all.',
      }),
    },
    resolve: async (query, _root, args, ctx) => {
      await changePassword(args, ctx);
      return storedRecord(ctx, 'user', signedIn(ctx).id, query);
    },
  }),
);

builder.prismaObjectField(Account, 'hasPassword', (t) =>
  t.boolean({
    description:
      'Whether Millrace has a password of the user. A user of a directory may have none.',
    resolve: ({ passwordDigest }) => passwordDigest !== null,
  }),
);

builder.prismaObjectField(Account, 'isPasswordGiven', (t) =>
  t.exposeBoolean('isPasswordGiven', {
    description:
      'Whether another person set the password, for example the administrator who created the account.',
  }),
);
