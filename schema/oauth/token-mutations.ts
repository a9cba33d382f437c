import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { createToken } from './token-create.ts';
import { revokeToken } from './token-find.ts';
import { OauthClient, OauthGrant, OauthToken } from './token-types.ts';

builder.mutationFields((t) => ({
  createOauthToken: t.field({
    extensions: internal,
    type: OauthToken,
    complexity: heavyCost,
    args: {
      grant: t.arg({ type: OauthGrant, required: true, description: 'The grant.' }),
      client: t.arg({ type: OauthClient, description: 'The client.' }),
    },
    resolve: (_root, { grant, client = null }, ctx) => createToken(grant, client, ctx),
  }),
  revokeOauthToken: t.boolean({
    extensions: internal,
    description: 'Ends an access or refresh token; says nothing of whether it was one.',
    args: {
      token: t.arg.string({ required: true, description: 'The token.' }),
      client: t.arg({ type: OauthClient, description: 'The client.' }),
    },
    resolve: (_root, { token, client = null }, ctx) => done(revokeToken(token, client, ctx)),
  }),
}));
