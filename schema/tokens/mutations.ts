import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { createToken } from './create.ts';
import { findHolder, findImpersonationToken } from './find.ts';
import { byImpersonationToken } from './node.ts';
import { revokeToken } from './revoke.ts';
import { ImpersonationToken, PersonalAccessToken } from './types.ts';

const newTokenArgs = builder.args((t) => ({
  name: t.string({ required: true, description: 'The name of the token, at most 255 characters.' }),
  scopes: t.stringList({
    required: true,
    description: 'What the token may do. At least one.',
    extensions: publiclyTyped('TokenScope'),
  }),
  expiresAt: t.field({
    type: 'Date',
    description: 'The day at whose start (UTC) the token expires; null for never.',
  }),
}));

const CreatedImpersonationToken = builder
  .objectRef<{ readonly id: number; readonly token: string }>('CreatedImpersonationToken')
  .implement({
    description: 'A new impersonation token with its text, which is shown only once.',
    extensions: { isPayload: true },
    fields: (t) => ({
      token: t.exposeString('token', { description: 'The token, which is shown only once.' }),
      impersonationToken: t.prismaField({
        type: ImpersonationToken,
        description: 'The record of the token.',
        resolve: (query, { id }, _args, ctx) => storedRecord(ctx, 'accessToken', id, query),
      }),
    }),
  });

builder.mutationFields((t) => ({
  createImpersonationToken: t.field({
    type: CreatedImpersonationToken,
    inPerson: true,
    description:
      'Creates a token with which administrators act as a user. Its text is shown only once. Requires an administrator.',
    args: {
      userId: t.arg.int({
        required: true,
        description: 'The id of the user for whom the token acts.',
      }),
      ...newTokenArgs,
    },
    resolve: async (_root, { userId, name, scopes, expiresAt = null }, ctx) => {
      await findHolder(userId, ctx);
      return createToken({ userId, kind: 'impersonation' }, { name, scopes, expiresAt }, ctx);
    },
  }),
  revokeImpersonationToken: t.prismaField({
    extensions: byImpersonationToken,
    type: ImpersonationToken,
    inPerson: true,
    description: 'Revokes an impersonation token; it stays listed. Requires an administrator.',
    args: {
      userId: t.arg.int({
        required: true,
        description: 'The id of the user for whom the token acts.',
      }),
      id: t.arg.int({ required: true, description: 'The id of the token.' }),
    },
    resolve: async (query, _root, { userId, id }, ctx) => {
      await findImpersonationToken({ userId, id }, ctx);
      await revokeToken({ userId, id }, ctx);
      return storedRecord(ctx, 'accessToken', id, query);
    },
  }),
}));

const CreatedToken = builder
  .objectRef<{ readonly id: number; readonly token: string }>('CreatedPersonalAccessToken')
  .implement({
    description: 'A new personal access token with its text, which is shown only once.',
    extensions: { isPayload: true },
    fields: (t) => ({
      token: t.exposeString('token', { description: 'The token, which is shown only once.' }),
      personalAccessToken: t.prismaField({
        type: PersonalAccessToken,
        description: 'The record of the token.',
        resolve: (query, { id }, _args, ctx) => storedRecord(ctx, 'accessToken', id, query),
      }),
    }),
  });

builder.mutationFields((t) => ({
  createPersonalAccessToken: t.field({
    type: CreatedToken,
    inPerson: true,
    description:
      'Creates a personal access token of the current user, whose text is shown only once.',
    args: newTokenArgs,
    resolve: (_root, { name, scopes, expiresAt = null }, ctx) => {
      const { id: userId } = signedIn(ctx);
      return createToken({ userId, kind: 'personal' }, { name, scopes, expiresAt }, ctx);
    },
  }),
  revokePersonalAccessToken: t.prismaField({
    type: PersonalAccessToken,
    inPerson: true,
    description: 'Revokes a personal access token of the current user; it stays listed.',
    args: { id: t.arg.int({ required: true, description: 'The id of the token.' }) },
    resolve: async (query, _root, { id }, ctx) => {
      const { id: userId } = signedIn(ctx);
      const token = await ctx.db.accessToken.findFirst({
        where: { id, userId, kind: 'personal' },
        select: { id: true },
      });
      if (!token) throw notFound('Personal Access Token');
      await revokeToken({ userId, id }, ctx);
      return storedRecord(ctx, 'accessToken', id, query);
    },
  }),
}));
