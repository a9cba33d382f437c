import { builder } from '../kernel/builder.ts';
import { type Identification, signIdToken } from './id-token.ts';
import type { Introspection, TokenWithOwner } from './token-find.ts';
import { accessTokenLifetime, type IdentifiedToken } from './tokens.ts';

export const OauthClient = builder.inputType('OauthClientInput', {
  description: 'The credentials of an application.',
  fields: (t) => ({
    id: t.string({ description: 'The Application ID.', required: true }),
    secret: t.string(),
  }),
});

const AuthorizationCodeGrant = builder.inputType('OauthAuthorizationCodeGrant', {
  fields: (t) => ({
    code: t.string({ required: true }),
    redirectUri: t.string({
      description: 'The redirect URI of the authorization request.',
      required: true,
    }),
    codeVerifier: t.string({
      description: 'Required if the authorization request had a challenge (RFC 7636).',
    }),
  }),
});

const PasswordGrant = builder.inputType('OauthPasswordGrant', {
  fields: (t) => ({
    username: t.string({
      description: 'A username or an e-mail address, ignoring case.',
      required: true,
    }),
    password: t.string({ required: true }),
    scope: t.string(),
  }),
});

const RefreshTokenGrant = builder.inputType('OauthRefreshTokenGrant', {
  fields: (t) => ({
    refreshToken: t.string({ required: true }),
    scope: t.string({ description: "A subset of the token's scopes." }),
  }),
});

const ClientCredentialsGrant = builder.inputType('OauthClientCredentialsGrant', {
  fields: (t) => ({ scope: t.string() }),
});

export const OauthGrant = builder.inputType('OauthGrantInput', {
  description: 'A grant that is exchanged for an access token. Scopes are separated by spaces.',
  isOneOf: true,
  fields: (t) => ({
    authorizationCode: t.field({ type: AuthorizationCodeGrant }),
    password: t.field({ type: PasswordGrant }),
    refreshToken: t.field({ type: RefreshTokenGrant }),
    clientCredentials: t.field({ type: ClientCredentialsGrant }),
  }),
});

export const OauthToken = builder.objectRef<IdentifiedToken>('OauthToken').implement({
  description: 'A new access token, which is shown only once.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken'),
    refreshToken: t.exposeString('refreshToken', { nullable: true }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    expiresIn: t.int({
      description: 'Seconds until the token expires.',
      resolve: () => accessTokenLifetime,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    idToken: t.string({
      description: 'The ID token; null without the scope `openid`, a user or an application.',
      nullable: true,
      resolve: (token, _args, ctx) => {
        const identification = identificationOf(token);
        return identification && signIdToken(identification, token.accessToken, ctx);
      },
    }),
  }),
});

function identificationOf({
  clientId,
  userId,
  scopes,
  authenticatedAt,
  nonce,
}: IdentifiedToken): Identification | null {
  if (clientId === null || userId === null || !scopes.includes('openid')) return null;
  return { clientId, userId, scopes, authenticatedAt, nonce, isInAddress: false };
}

export const OauthTokenInfo = builder.objectRef<TokenWithOwner>('OauthTokenInfo').implement({
  description: 'The user, application and scopes of an access token.',
  fields: (t) => ({
    userId: t.exposeInt('userId', {
      nullable: true,
      description: 'The id of the user; null for a client-credentials token.',
    }),
    applicationUid: t.string({
      description: 'The Application ID; null for a token created with a password only.',
      nullable: true,
      resolve: ({ application }) => application?.uid ?? null,
    }),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

export const OauthIntrospection = builder.objectRef<Introspection>('OauthIntrospection').implement({
  description: 'A valid token, as introspection shows it to its application (RFC 7662).',
  fields: (t) => ({
    userId: t.int({ nullable: true, resolve: ({ token }) => token.userId }),
    username: t.string({ nullable: true, resolve: ({ token }) => token.user?.username ?? null }),
    applicationUid: t.string({
      nullable: true,
      resolve: ({ token }) => token.application?.uid ?? null,
    }),
    scopes: t.stringList({ resolve: ({ token }) => token.scopes }),
    isRefreshToken: t.exposeBoolean('isRefreshToken'),
    createdAt: t.field({ type: 'DateTime', resolve: ({ token }) => token.createdAt }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});
