import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { type ValidatedRequest, validateAuthorizationRequest } from './authorization-request.ts';
import { createGrant } from './grants.ts';
import { OauthToken } from './token-types.ts';
import { type IssuedToken, issueToken } from './tokens.ts';

const requestArgs = builder.args((t) => ({
  clientId: t.string({ description: 'The Application ID.', required: true }),
  redirectUri: t.string({
    description: "One of the application's URIs, compared exactly.",
    required: true,
  }),
  responseType: t.string({ description: '`code` or `token`.' }),
  scope: t.string({ description: 'Separated by spaces.' }),
  codeChallenge: t.string(),
  codeChallengeMethod: t.string({ description: '`plain` (the default) or `S256`.' }),
}));

const OauthConsent = builder.objectRef<ValidatedRequest>('OauthConsent').implement({
  description: 'An authorization request of an application to the current user.',
  fields: (t) => ({
    applicationName: t.string({ resolve: ({ application }) => application.name }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    isNeeded: t.boolean({
      description: 'Whether the user must consent; false for a trusted application.',
      resolve: ({ application }) => !application.isTrusted,
    }),
  }),
});

builder.queryField('oauthConsent', (t) =>
  t.field({
    extensions: internal,
    type: OauthConsent,
    args: requestArgs,
    resolve: (_root, request, ctx) => validateAuthorizationRequest(request, ctx),
  }),
);

interface Approval {
  readonly code: string | null;
  readonly token: IssuedToken | null;
}

const OauthApproval = builder.objectRef<Approval>('OauthApproval').implement({
  description:
    'The response to the application: a code, or an access token if the request was for a token.',
  fields: (t) => ({
    code: t.exposeString('code', { nullable: true }),
    token: t.expose('token', { type: OauthToken, nullable: true }),
  }),
});

builder.mutationField('authorizeOauthApplication', (t) =>
  t.field({
    extensions: internal,
    type: OauthApproval,
    inPerson: true,
    args: requestArgs,
    resolve: async (_root, request, ctx) => {
      signedIn(ctx);
      const examined = await validateAuthorizationRequest(request, ctx);
      if (examined.responseType === 'code') {
        return { code: await createGrant(examined, ctx), token: null };
      }
      const { application, userId, scopes } = examined;
      const token = await transact(ctx.db, (tx) =>
        issueToken(
          { applicationId: application.id, userId, scopes, isRefreshable: false },
          tx,
          ctx,
        ),
      );
      return { code: null, token };
    },
  }),
);
