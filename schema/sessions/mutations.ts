import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { storedRecord } from '../listing/records.ts';
import { User } from '../users/types.ts';
import { signIn } from './sign-in.ts';

const Session = builder.objectRef<{ userId: number; privateToken: string }>('Session').implement({
  description: 'A user who signed in with a password, and the token for further requests.',
  fields: (t) => ({
    user: t.prismaField({
      type: User,
      description: 'The user.',
      resolve: (query, { userId }, _args, ctx) => storedRecord(ctx, 'user', userId, query),
    }),
    privateToken: t.exposeString('privateToken', { description: 'The private token of the user.' }),
  }),
});

builder.mutationField('createSession', (t) =>
  t.field({
    type: Session,
    complexity: heavyCost,
    extensions: internal,
    args: {
      login: t.arg.string({ required: true }),
      password: t.arg.string({ required: true }),
    },
    resolve: (_root, args, ctx) => signIn(args, ctx),
  }),
);
