import { refusal } from '../../schema/client/execute.ts';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { type OauthErrorCode, oauthErrorTexts } from '../../schema/client/oauth-errors.ts';
import { html } from './html.ts';
import {
  backTo,
  formTargetsOf,
  isForPeople,
  type OauthRequest,
  queryOf,
  readRequest,
  variablesOf,
} from './oauth-request.ts';
import type { Answer, Page, ShownPage, Visit } from './page.ts';
import { alert } from './parts.ts';
import { scopeWords } from './scopes.ts';

const Consent = graphql(`
  query OauthConsent(
    $clientId: String!, $redirectUri: String!, $responseType: String, $scope: String,
    $codeChallenge: String, $codeChallengeMethod: String
  ) {
    oauthConsent(
      clientId: $clientId, redirectUri: $redirectUri, responseType: $responseType, scope: $scope,
      codeChallenge: $codeChallenge, codeChallengeMethod: $codeChallengeMethod
    ) { applicationName scopes isNeeded }
  }
`);

const Approve = graphql(`
  mutation AuthorizeOauthApplication(
    $clientId: String!, $redirectUri: String!, $responseType: String, $scope: String,
    $codeChallenge: String, $codeChallengeMethod: String
  ) {
    authorizeOauthApplication(
      clientId: $clientId, redirectUri: $redirectUri, responseType: $responseType, scope: $scope,
      codeChallenge: $codeChallenge, codeChallengeMethod: $codeChallengeMethod
    ) { code token { accessToken expiresIn } }
  }
`);

const path = '/oauth/authorize';

type Asked = ResultOf<typeof Consent>['oauthConsent'];

/** Shown in place of sending anybody anywhere. */
const errorPage = (code: OauthErrorCode): ShownPage => ({
  title: 'No authorization',
  status: 400,
  main: html`<div class="narrow">
<h1>No authorization</h1>
${alert(oauthErrorTexts[code])}
<p>The application that sent you here has made a mistake, or somebody pretends to be it. You have
not given anything away.</p>
</div>`,
});

function consentPage({ applicationName, scopes }: Asked, request: OauthRequest, visit: Visit) {
  const { viewer, formToken, url } = visit;
  const { host, protocol } = new URL(request.redirect_uri);
  const action = url(`${path}?${queryOf(request)}`);
  return {
    title: 'Authorization',
    formTargets: formTargetsOf(request.redirect_uri),
    main: html`<div class="narrow">
<h1>Allow ${applicationName} to use your account?</h1>
<p>You are signed in as <strong>${viewer?.username}</strong>. What the application will be allowed:</p>
<ul>${scopes.map((scope) => html`<li>${scopeWords.get(scope) ?? scope} <code>${scope}</code></li>`)}</ul>
<p class="quiet">You will be sent to <code>${host || protocol}</code>. You can take this back at any
time among your <a href="${url('/profile/applications')}">applications</a>.</p>
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

/** What comes of a request once it can be read; refusals go where they belong (RFC 6749, 4.1.2.1). */
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
    return isForPeople(code) ? errorPage(code) : sentBack(request, told(code));
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

const told = (code: OauthErrorCode) => ({
  error: code,
  error_description: oauthErrorTexts[code],
});

const show = (visit: Visit) =>
  answered(readRequest(visit.ctx.query), async (request) => {
    const { oauthConsent: asked } = await visit.ask(Consent, variablesOf(request));
    return asked.isNeeded ? consentPage(asked, request, visit) : approve(request, visit);
  });

async function approve(request: OauthRequest, visit: Visit): Promise<Answer> {
  const { authorizeOauthApplication: approved } = await visit.ask(Approve, variablesOf(request));
  const { code, token } = approved;
  if (code !== null) return sentBack(request, { code });
  const answer = {
    access_token: token?.accessToken ?? '',
    token_type: 'bearer',
    expires_in: String(token?.expiresIn),
  };
  return sentBack(request, answer);
}

async function deny(request: OauthRequest, visit: Visit): Promise<Answer> {
  // who asked must be known before anybody is sent there
  await visit.ask(Consent, variablesOf(request));
  return sentBack(request, told('access_denied'));
}

/** Our form carries the request in its address; who sends one of their own may put it into the form. */
const sent = ({ ctx }: Visit) => readRequest({ ...ctx.query, ...ctx.request.body });

const access = 'signed in';

/** Where applications send people to be allowed to act for them (v4-behaviour 2.16). */
export const oauthPages: readonly Page[] = [
  { method: 'get', path, access, answer: show },
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
