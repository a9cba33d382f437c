import { builder } from '../kernel/builder.ts';
import type { Introspection, TokenWithOwner } from './token-find.ts';
import { accessTokenLifetime, type IssuedToken } from './tokens.ts';

/** The credentials of an application. */
export const OauthClient = builder.inputType('OauthClientInput', {
  fields: (t) => ({
    /** The Application ID. */
    id: t.string({ required: true }),
    secret: t.string(),
  }),
});

const AuthorizationCodeGrant = builder.inputType('OauthAuthorizationCodeGrant', {
  fields: (t) => ({
    code: t.string({ required: true }),
    /** The redirect URI of the authorization request. */
    redirectUri: t.string({ required: true }),
    /** Required if the authorization request had a challenge (RFC 7636). */
    codeVerifier: t.string(),
  }),
});

const PasswordGrant = builder.inputType('OauthPasswordGrant', {
  fields: (t) => ({
    /** A username or an e-mail address, ignoring case. */
    username: t.string({ required: true }),
    password: t.string({ required: true }),
    scope: t.string(),
  }),
});

const RefreshTokenGrant = builder.inputType('OauthRefreshTokenGrant', {
  fields: (t) => ({
    refreshToken: t.string({ required: true }),
    /** A subset of the token's scopes. */
    scope: t.string(),
  }),
});

const ClientCredentialsGrant = builder.inputType('OauthClientCredentialsGrant', {
  fields: (t) => ({ scope: t.string() }),
});

export const OauthGrant = builder.inputType('OauthGrantInput', {
  description: 'What is exchanged for an access token. Scopes are separated by blanks.',
  isOneOf: true,
  fields: (t) => ({
    authorizationCode: t.field({ type: AuthorizationCodeGrant }),
    password: t.field({ type: PasswordGrant }),
    refreshToken: t.field({ type: RefreshTokenGrant }),
    clientCredentials: t.field({ type: ClientCredentialsGrant }),
  }),
});

export const OauthToken = builder.objectRef<IssuedToken>('OauthToken').implement({
  description: 'An access token just made. This is the only time it is shown.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken'),
    refreshToken: t.exposeString('refreshToken', { nullable: true }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    /** Seconds. */
    expiresIn: t.int({ resolve: () => accessTokenLifetime }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const OauthTokenInfo = builder.objectRef<TokenWithOwner>('OauthTokenInfo').implement({
  description: 'What an access token is good for.',
  fields: (t) => ({
    /** Null: a client-credentials token. */
    userId: t.exposeInt('userId', { nullable: true }),
    /** Null: created with a password only. */
    applicationUid: t.string({
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
