import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { claimsOf, groupPaths, type UserClaims } from './claims.ts';
import { publishedSigningKeys } from './signing-keys.ts';
import { findIdentifyingToken } from './token-find.ts';

const mostGroups = 1000;

const OauthUserinfo = builder.objectRef<UserClaims>('OauthUserinfo').implement({
  description: 'What an application learns of the user who authorized it (OpenID Connect).',
  fields: (t) => ({
    userId: t.exposeInt('userId', { description: 'The id of the user.' }),
    name: t.exposeString('name', { description: 'The full name.' }),
    username: t.exposeString('username', { description: 'The username.' }),
    profileUrl: t.exposeString('profileUrl', { description: 'The URL of the page of the user.' }),
    pictureUrl: t.exposeString('pictureUrl', {
      nullable: true,
      description: 'The URL of the avatar.',
    }),
    websiteUrl: t.exposeString('websiteUrl', {
      nullable: true,
      description: 'The URL of a website of the user.',
    }),
    email: t.exposeString('email', {
      nullable: true,
      description: 'The primary e-mail address; needs the scope `email`.',
    }),
    isEmailVerified: t.exposeBoolean('isEmailVerified', {
      nullable: true,
      description: 'Whether an administrator entered the e-mail address.',
    }),
    groups: t.stringList({
      description:
        'The full paths of the groups that the user is a member of, directly or by inheritance; at most 1000.',
      resolve: async ({ userId }, _args, ctx) => [...(await groupPaths(userId, mostGroups, ctx))],
    }),
  }),
});

const OauthPublicKey = builder
  .objectRef<{ readonly keyId: string; readonly modulus: string; readonly exponent: string }>(
    'OauthPublicKey',
  )
  .implement({
    description: 'An RSA key that verifies ID tokens.',
    fields: (t) => ({
      keyId: t.exposeString('keyId', { description: 'The thumbprint of the key (RFC 7638).' }),
      modulus: t.exposeString('modulus', { description: 'The modulus, in base64url.' }),
      exponent: t.exposeString('exponent', { description: 'The exponent, in base64url.' }),
    }),
  });

builder.queryFields((t) => ({
  oauthUserinfo: t.field({
    extensions: internal,
    type: OauthUserinfo,
    args: {
      token: t.arg.string({
        required: true,
        description: 'An access token with the scope `openid`.',
      }),
    },
    resolve: async (_root, { token }, ctx) => {
      const { userId, scopes } = await findIdentifyingToken(token, ctx);
      return claimsOf(userId, scopes, ctx);
    },
  }),
  oauthPublicKeys: t.field({
    extensions: internal,
    type: [OauthPublicKey],
    description: 'The keys that verify valid ID tokens, the newest first.',
    resolve: async (_root, _args, ctx) => [...(await publishedSigningKeys(ctx))],
  }),
}));
