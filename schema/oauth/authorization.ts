import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { signedInAt } from '../sessions/browser-sessions.ts';
import { type ValidatedRequest, validateAuthorizationRequest } from './authorization-request.ts';
import { createGrant } from './grants.ts';
import { type Identification, signIdToken } from './id-token.ts';
import { type Interaction, interactionFor } from './interaction.ts';
import { OauthToken } from './token-types.ts';
import { type IdentifiedToken, issueToken } from './tokens.ts';

const requestArgs = builder.args((t) => ({
  clientId: t.string({ description: 'The Application ID.', required: true }),
  redirectUri: t.string({
    description: "One of the application's URIs, compared exactly.",
    required: true,
  }),
  responseType: t.string({ description: '`code`, `token`, `id_token` or `id_token token`.' }),
  responseMode: t.string({ description: '`query` or `fragment`.' }),
  scope: t.string({ description: 'Separated by spaces.' }),
  codeChallenge: t.string(),
  codeChallengeMethod: t.string({ description: '`plain` (the default) or `S256`.' }),
  nonce: t.string({ description: 'Returned in the ID token.' }),
  prompt: t.string({ description: '`none`, `login`, `consent`, `select_account`.' }),
  maxAge: t.string({ description: 'Seconds since the user signed in.' }),
  requestObject: t.string({ description: 'Not supported.' }),
  requestUri: t.string({ description: 'Not supported.' }),
  session: t.string({ description: "The token of the browser's session." }),
}));

interface Consent extends Interaction {
  readonly request: ValidatedRequest;
}

const OauthConsent = builder.objectRef<Consent>('OauthConsent').implement({
  description: 'An authorization request of an application to the current user.',
  fields: (t) => ({
    applicationName: t.string({ resolve: ({ request }) => request.application.name }),
    scopes: t.stringList({ resolve: ({ request }) => [...request.scopes] }),
    needsSignIn: t.exposeBoolean('needsSignIn', {
      description: 'Whether the user must sign in first, also if they are signed in.',
    }),
    isNeeded: t.exposeBoolean('needsConsent', {
      description:
        'Whether the user must consent; false for a trusted application, and for one that asks the user nothing and was authorized before.',
    }),
  }),
});

builder.queryField('oauthConsent', (t) =>
  t.field({
    extensions: internal,
    type: OauthConsent,
    args: requestArgs,
    resolve: async (_root, { session, ...given }, ctx) => {
      const request = await validateAuthorizationRequest(given, ctx);
      const interaction = await interactionFor(request, await signedInAt(session, ctx), ctx);
      return { request, ...interaction };
    },
  }),
);

interface Approval {
  readonly code: string | null;
  readonly token: IdentifiedToken | null;
  readonly identification: Identification | null;
}

const OauthApproval = builder.objectRef<Approval>('OauthApproval').implement({
  description: 'The response to the application: a code, or the tokens that the request was for.',
  fields: (t) => ({
    code: t.exposeString('code', { nullable: true }),
    token: t.expose('token', { type: OauthToken, nullable: true }),
    idToken: t.string({
      nullable: true,
      resolve: ({ identification, token }, _args, ctx) =>
        identification && signIdToken(identification, token?.accessToken ?? null, ctx),
    }),
  }),
});

builder.mutationField('authorizeOauthApplication', (t) =>
  t.field({
    extensions: internal,
    type: OauthApproval,
    inPerson: true,
    args: requestArgs,
    resolve: async (_root, { session, ...given }, ctx): Promise<Approval> => {
      const { id: userId } = signedIn(ctx);
      const request = await validateAuthorizationRequest(given, ctx);
      const { application, responseType, scopes, nonce } = request;
      const authenticatedAt = await signedInAt(session, ctx);
      if (responseType === 'code') {
        const code = await createGrant(request, { userId, authenticatedAt }, ctx);
        return { code, token: null, identification: null };
      }
      const { id: applicationId, uid: clientId } = application;
      const token = { applicationId, userId, scopes, isRefreshable: false, authenticatedAt };
      return {
        code: null,
        token:
          responseType === 'id_token'
            ? null
            : await transact(ctx.db, async (tx) => ({
                ...(await issueToken(token, tx, ctx)),
                clientId,
                nonce,
              })),
        identification:
          responseType === 'token'
            ? null
            : { clientId, userId, scopes, authenticatedAt, nonce, isInAddress: true },
      };
    },
  }),
);
