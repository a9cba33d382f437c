import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { User } from '../users/types.ts';
import { signIn } from './sign-in.ts';

const Session = builder.objectRef<{ userId: number; privateToken: string }>('Session').implement({
  description: 'A user who signed in with a password, and the token for further requests.',
  extensions: { isPayload: true },
  fields: (t) => ({
    user: t.prismaField({
      type: User,
      description: 'The user.',
      resolve: (query, { userId }, _args, { db }) =>
        db.user.findUniqueOrThrow({ ...query, where: { id: userId } }),
    }),
    privateToken: t.exposeString('privateToken', { description: 'The private token of the user.' }),
  }),
});

builder.mutationField('createSession', (t) =>
  t.field({
    type: Session,
    complexity: heavyCost,
    description:
      'Signs a user in and returns the private token. Not for users with two-factor authentication.',
    args: {
      login: t.arg.string({
        required: true,
        description: 'A username or an e-mail address, ignoring case.',
      }),
      password: t.arg.string({ required: true, description: 'The password.' }),
    },
    resolve: (_root, args, ctx) => signIn(args, ctx),
  }),
);
