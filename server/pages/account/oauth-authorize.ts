import { refusal } from '../../../schema/client/execute.ts';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { type OauthErrorCode, oauthErrorTexts } from '../../../schema/client/oauth-errors.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { signInAddress } from '../kernel/return-to.ts';
import {
  afterSignIn,
  backTo,
  formTargetsOf,
  isForPeople,
  isSilent,
  type OauthRequest,
  queryOf,
  readRequest,
  variablesOf,
} from './oauth-request.ts';
import { applicationScopes } from './scopes.ts';

const ConsentDocument = graphql(`
  query OauthConsent(
    $clientId: String!, $redirectUri: String!, $responseType: String, $responseMode: String,
    $scope: String, $codeChallenge: String, $codeChallengeMethod: String, $nonce: String,
    $prompt: String, $maxAge: String, $requestObject: String, $requestUri: String, $session: String
  ) {
    oauthConsent(
      clientId: $clientId, redirectUri: $redirectUri, responseType: $responseType,
      responseMode: $responseMode, scope: $scope, codeChallenge: $codeChallenge,
      codeChallengeMethod: $codeChallengeMethod, nonce: $nonce, prompt: $prompt, maxAge: $maxAge,
      requestObject: $requestObject, requestUri: $requestUri, session: $session
    ) { applicationName scopes needsSignIn isNeeded }
  }
`);

const Approve = graphql(`
  mutation AuthorizeOauthApplication(
    $clientId: String!, $redirectUri: String!, $responseType: String, $responseMode: String,
    $scope: String, $codeChallenge: String, $codeChallengeMethod: String, $nonce: String,
    $prompt: String, $maxAge: String, $requestObject: String, $requestUri: String, $session: String
  ) {
    authorizeOauthApplication(
      clientId: $clientId, redirectUri: $redirectUri, responseType: $responseType,
      responseMode: $responseMode, scope: $scope, codeChallenge: $codeChallenge,
      codeChallengeMethod: $codeChallengeMethod, nonce: $nonce, prompt: $prompt, maxAge: $maxAge,
      requestObject: $requestObject, requestUri: $requestUri, session: $session
    ) { code idToken token { accessToken expiresIn } }
  }
`);

const path = '/oauth/authorize';

type Consent = ResultOf<typeof ConsentDocument>['oauthConsent'];

/** Shown instead of a redirect to an unverified address. */
const errorPage = (code: OauthErrorCode): ShownPage => ({
  title: 'Authorization failed',
  status: 400,
  main: html`<div class="narrow card">
<h1>Authorization failed</h1>
${alert(oauthErrorTexts[code])}
<p>The application that sent you here made an invalid request. It was not given access to your
account.</p>
</div>`,
});

function consentPage({ applicationName, scopes }: Consent, request: OauthRequest, visit: Visit) {
  const { viewer, formToken, url } = visit;
  const { host, protocol } = new URL(request.redirect_uri);
  // the scopes that are shown, not those that the application has by default when the form is sent
  const action = url(`${path}?${queryOf({ ...request, scope: scopes.join(' ') })}`);
  return {
    title: 'Authorization',
    formTargets: formTargetsOf(request.redirect_uri),
    main: html`<div class="narrow card">
<h1>Authorize ${applicationName} to use your account?</h1>
<p>You are signed in as <strong>${viewer?.username}</strong>. The application will be able to:</p>
<ul>${scopes.map((scope) => html`<li>${applicationScopes.get(scope) ?? scope} <code>${scope}</code></li>`)}</ul>
<p class="quiet">You will be redirected to <code>${host || protocol}</code>. You can revoke this access at any
time in your <a href="${url('/profile/applications')}">applications</a>.</p>
<div class="row">
<form method="post" action="${action}">
${formToken}<button>Authorize</button>
</form>
<form method="post" action="${action}">
${formToken}<input type="hidden" name="_method" value="delete">
<button class="plain">Deny</button>
</form>
</div>
</div>`,
  };
}

/** Handles a request; errors go to the user or to the application (RFC 6749, 4.1.2.1). */
async function answered(
  request: OauthRequest | null,
  answer: (request: OauthRequest) => Promise<Answer>,
): Promise<Answer> {
  if (!request) return errorPage('invalid_request');
  try {
    return await answer(request);
  } catch (error) {
    const code = codeOf(refusal(error)?.reason);
    if (!code) throw error;
    return isForPeople(code) ? errorPage(code) : sentBack(request, errorParameters(code));
  }
}

/** 302, after a form as well (v4-behaviour 2.16). */
const sentBack = (request: OauthRequest, answer: Readonly<Record<string, string>>): Answer => ({
  redirect: backTo(request, answer),
  status: 302,
});

const codeOf = (reason: string | undefined): OauthErrorCode | null =>
  reason !== undefined && Object.hasOwn(oauthErrorTexts, reason)
    ? (reason as OauthErrorCode)
    : null;

const errorParameters = (code: OauthErrorCode) => ({
  error: code,
  error_description: oauthErrorTexts[code],
});

const show = (visit: Visit) =>
  answered(readRequest(visit.ctx.query), async (request) => {
    if (!visit.viewer && !isSilent(request)) return signIn(request, visit);
    const { oauthConsent: consent } = await visit.ask(ConsentDocument, variablesOf(request, visit));
    if (consent.needsSignIn) return signIn(request, visit);
    return consent.isNeeded ? consentPage(consent, request, visit) : approve(request, visit);
  });

/** To the sign-in page, which asks also a user who is signed in. */
const signIn = (request: OauthRequest, visit: Visit): Answer => ({
  redirect: signInAddress(visit, {
    returnTo: `${path}?${queryOf(afterSignIn(request))}`,
    isAgain: visit.viewer !== null,
  }),
});

async function approve(request: OauthRequest, visit: Visit): Promise<Answer> {
  const { authorizeOauthApplication: approved } = await visit.ask(
    Approve,
    variablesOf(request, visit),
  );
  const { code, token, idToken } = approved;
  if (code !== null) return sentBack(request, { code });
  return sentBack(request, {
    ...(token && {
      access_token: token.accessToken,
      token_type: 'bearer',
      expires_in: String(token.expiresIn),
    }),
    ...(idToken !== null && { id_token: idToken }),
  });
}

async function deny(request: OauthRequest, visit: Visit): Promise<Answer> {
  // verifies the application before the redirect
  await visit.ask(ConsentDocument, variablesOf(afterSignIn(request), visit));
  return sentBack(request, errorParameters('access_denied'));
}

/** Our form has the request in its address; another client's form may have it in its fields. */
const sent = ({ ctx }: Visit) => readRequest({ ...ctx.query, ...ctx.request.body });

const access = 'signed in';

/** The authorization endpoint, to which applications redirect users (v4-behaviour 2.16). */
export const oauthPages: readonly Page[] = [
  { method: 'get', path, access: 'anyone', answer: show },
  {
    method: 'post',
    path,
    access,
    answer: (visit) =>
      answered(sent(visit), (request) =>
        visit.form._method === 'delete' ? deny(request, visit) : approve(request, visit),
      ),
  },
  {
    method: 'delete',
    path,
    access,
    answer: (visit) => answered(sent(visit), (request) => deny(request, visit)),
  },
];
