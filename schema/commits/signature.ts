import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import type { Signature as Signed } from '../ports/git/history.ts';
import { userByEmail } from '../users/by-email.ts';
import { User } from '../users/types.ts';

export const Signature = builder.objectRef<Signed>('Signature').implement({
  description: 'A name, an e-mail address and a time, as git stores them. They are not verified.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name that git was configured with.' }),
    email: t.exposeString('email', { description: 'The e-mail address; empty if git has none.' }),
    at: t.exposeString('at', {
      description: "The time, ISO 8601 with the offset of the author's own clock.",
      extensions: internal,
    }),
    date: t.field({
      type: 'DateTime',
      description: 'The time by the clock of the computer that made the commit.',
      resolve: ({ at }) => new Date(at),
    }),
    user: t.field({
      type: User,
      description:
        'The user who has this e-mail address verified, primary or further. Null if no user has. Users may commit with the address of another user.',
      nullable: true,
      resolve: ({ email }, _args, ctx) => userByEmail(email, ctx),
    }),
  }),
});
