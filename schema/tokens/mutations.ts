import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { createToken } from './create.ts';
import { findHolder, findImpersonationToken } from './find.ts';
import { resetPrivateToken } from './private-token.ts';
import { revokeToken } from './revoke.ts';
import { ImpersonationToken, PersonalAccessToken } from './types.ts';

const newTokenArgs = builder.args((t) => ({
  name: t.string({ required: true }),
  /** `api`, `read_user`, `openid`. */
  scopes: t.stringList({ required: true }),
  /** The token expires at the start of this day in UTC. */
  expiresAt: t.field({ type: 'Date' }),
}));

builder.mutationFields((t) => ({
  createImpersonationToken: t.prismaField({
    type: ImpersonationToken,
    inPerson: true,
    args: { userId: t.arg.int({ required: true }), ...newTokenArgs },
    resolve: async (query, _root, { userId, name, scopes, expiresAt = null }, ctx) => {
      await findHolder(userId, ctx);
      const given = { name, scopes, expiresAt };
      const { id } = await createToken({ userId, kind: 'impersonation' }, given, ctx);
      return ctx.db.accessToken.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  revokeImpersonationToken: t.prismaField({
    type: ImpersonationToken,
    inPerson: true,
    args: { userId: t.arg.int({ required: true }), id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { userId, id }, ctx) => {
      await findImpersonationToken({ userId, id }, ctx);
      await revokeToken({ userId, id }, ctx);
      return ctx.db.accessToken.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
}));

const CreatedToken = builder
  .objectRef<{ readonly id: number; readonly token: string }>('CreatedPersonalAccessToken')
  .implement({
    description: 'A new personal access token with its text, which is shown only once.',
    extensions: { isPayload: true },
    fields: (t) => ({
      token: t.exposeString('token'),
      personalAccessToken: t.prismaField({
        type: PersonalAccessToken,
        resolve: (query, { id }, _args, { db }) =>
          db.accessToken.findUniqueOrThrow({ ...query, where: { id } }),
      }),
    }),
  });

builder.mutationFields((t) => ({
  createPersonalAccessToken: t.field({
    type: CreatedToken,
    inPerson: true,
    args: newTokenArgs,
    resolve: (_root, { name, scopes, expiresAt = null }, ctx) => {
      const { id: userId } = signedIn(ctx);
      return createToken({ userId, kind: 'personal' }, { name, scopes, expiresAt }, ctx);
    },
  }),
  revokePersonalAccessToken: t.prismaField({
    type: PersonalAccessToken,
    inPerson: true,
    args: { id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { id }, ctx) => {
      const { id: userId } = signedIn(ctx);
      const token = await ctx.db.accessToken.findFirst({
        where: { id, userId, kind: 'personal' },
        select: { id: true },
      });
      if (!token) throw notFound('Personal Access Token');
      await revokeToken({ userId, id }, ctx);
      return ctx.db.accessToken.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  resetPrivateToken: t.string({
    description: 'Revokes the private token of the current user and returns a new one.',
    extensions: { payload: 'privateToken' },
    inPerson: true,
    resolve: (_root, _args, ctx) => resetPrivateToken(signedIn(ctx).id, ctx),
  }),
}));
