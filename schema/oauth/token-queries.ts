import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { findAccessToken, introspect } from './token-find.ts';
import { OauthClient, OauthIntrospection, OauthTokenInfo } from './token-types.ts';

builder.queryFields((t) => ({
  oauthTokenInfo: t.field({
    extensions: internal,
    type: OauthTokenInfo,
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => findAccessToken(token, ctx),
  }),
  introspectOauthToken: t.field({
    extensions: internal,
    type: OauthIntrospection,
    nullable: true,
    description: 'Null for an invalid token, and for one of another application.',
    args: {
      token: t.arg.string({ required: true }),
      client: t.arg({ type: OauthClient }),
    },
    resolve: (_root, { token, client = null }, ctx) => introspect(token, client, ctx),
  }),
}));
