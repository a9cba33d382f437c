import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { type ValidatedRequest, validateAuthorizationRequest } from './authorization-request.ts';
import { createGrant } from './grants.ts';
import { OauthToken } from './token-types.ts';
import { type IssuedToken, issueToken } from './tokens.ts';

const requestArgs = builder.args((t) => ({
  /** The Application ID. */
  clientId: t.string({ required: true }),
  /** One of the application's URIs, compared exactly. */
  redirectUri: t.string({ required: true }),
  /** `code` or `token`. */
  responseType: t.string(),
  /** Separated by spaces. */
  scope: t.string(),
  codeChallenge: t.string(),
  /** `plain` (the default) or `S256`. */
  codeChallengeMethod: t.string(),
}));

const OauthConsent = builder.objectRef<ValidatedRequest>('OauthConsent').implement({
  description: 'What an application asks the viewer for.',
  fields: (t) => ({
    applicationName: t.string({ resolve: ({ application }) => application.name }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    /** False: the application is trusted, and consent is not needed. */
    isNeeded: t.boolean({ resolve: ({ application }) => !application.isTrusted }),
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
  description: 'What the application is sent: a code, or an access token if it asked for that.',
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
