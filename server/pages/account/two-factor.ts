import { renderSVG } from 'uqr';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { profileMenu } from '../frame/profile-menu.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, passwordField } from '../kernel/forms.ts';
import { type Html, html, trusted } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';

const State = graphql(`
  query OwnTwoFactor { twoFactor { isEnabled recoveryCodesLeft } }
`);

const Start = graphql(`
  mutation StartTwoFactor($password: String!) {
    startTwoFactor(password: $password) { uri }
  }
`);

const Confirm = graphql(`
  mutation ConfirmTwoFactor($code: String!, $session: String) {
    confirmTwoFactor(code: $code, session: $session)
  }
`);

const Regenerate = graphql(`
  mutation RegenerateRecoveryCodes($password: String!) {
    resetRecoveryCodes(password: $password)
  }
`);

const Disable = graphql(`
  mutation DisableTwoFactor($password: String!, $session: String) {
    disableTwoFactor(password: $password, session: $session) { id }
  }
`);

const title = 'Two-factor authentication';
const path = '/profile/two_factor';

/** The form of the page that failed, and its errors. */
interface Refused {
  readonly form: string;
  readonly fault: Fault;
}

interface PasswordForm {
  readonly name: string;
  readonly action: string;
  readonly button: Html;
}

/** A form that requires the current password; a page can have two. */
function passwordForm(visit: Visit, given: PasswordForm, refused: Refused | null): Html {
  const fault = refused?.form === given.name ? refused.fault : null;
  return html`<form method="post" action="${visit.url(`${path}${given.action}`)}" class="narrow">
${visit.formToken}
${alert(fault?.text ?? null)}
${passwordField({
  name: 'password',
  id: `${given.name}-password`,
  label: 'Current password',
  autocomplete: 'current-password',
  fault: faultText(fault?.fields ?? {}, 'password', 'Current password'),
})}
${given.button}
</form>`;
}

const off = (visit: Visit, refused: Refused | null): Html => html`
<p>Two-factor authentication is off. When it is on, signing in requires a one-time password from an
authenticator app in addition to your password.</p>
${passwordForm(
  visit,
  { name: 'start', action: '', button: html`<button>Set up</button>` },
  refused,
)}`;

const on = (
  visit: Visit,
  { recoveryCodesLeft }: ResultOf<typeof State>['twoFactor'],
  refused: Refused | null,
): Html => html`
<p>Two-factor authentication is on. ${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.</p>
<p class="quiet">Programs must use personal access tokens: a password alone no longer works.</p>
<h2>New recovery codes</h2>
<p>New codes replace the existing ones.</p>
${passwordForm(
  visit,
  { name: 'renew', action: '/recovery_codes', button: html`<button>Generate new codes</button>` },
  refused,
)}
<h2>Turn off two-factor authentication</h2>
${passwordForm(
  visit,
  { name: 'disable', action: '/disable', button: html`<button class="danger">Turn off</button>` },
  refused,
)}`;

async function statePage(visit: Visit, refused: Refused | null = null): Promise<ShownPage> {
  const { twoFactor } = await visit.ask(State, {});
  return {
    title,
    status: refused?.fault.status ?? 200,
    main: html`${profileMenu(visit, path)}
<h1>${title}</h1>
${twoFactor.isEnabled ? on(visit, twoFactor, refused) : off(visit, refused)}
`,
  };
}

/** Characters; longer than our URIs, and short enough for a QR code. */
const longestUri = 500;

function setUpPage(visit: Visit, uri: string, fault: Fault | null = null): ShownPage {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return {
    title,
    status: fault?.status ?? 200,
    main: html`${profileMenu(visit, path)}
<h1>${title}</h1>
<p>Scan this QR code with your authenticator app:</p>
<div class="picture" role="img" aria-label="QR code of the secret below">${trusted(
      renderSVG(uri, { border: 3, whiteColor: '#fff', blackColor: '#000' }),
    )}</div>
<p>Or enter this secret: <code>${secret.replace(/.{4}(?=.)/g, '$& ')}</code></p>
<form method="post" action="${visit.url(`${path}/confirm`)}" class="narrow">
${visit.formToken}
<input type="hidden" name="uri" value="${uri}">
${alert(fault?.text ?? null)}
${field({
  name: 'code',
  label: 'One-time password',
  autocomplete: 'one-time-code',
  isRequired: true,
  hint: 'The six-digit code that the app shows now',
  fault: faultText(fault?.fields ?? {}, 'code', 'This one-time password'),
})}
<button>Turn on</button>
</form>`,
  };
}

const codesPage = (visit: Visit, codes: readonly string[]): ShownPage => ({
  title: 'Recovery codes',
  main: html`<h1>Recovery codes</h1>
<p>Two-factor authentication is on. If you lose access to your authenticator app, each of these codes
works once in place of a one-time password. Store them in a safe place: <strong>they are not shown again.</strong></p>
<ul class="code codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p><a class="button" href="${visit.url('/profile')}">I have saved these codes</a></p>`,
});

const changing = (visit: Visit, form: string, work: () => Promise<Answer>): Promise<Answer> =>
  orFault(visit, work, (fault) => statePage(visit, { form, fault }));

const start = (visit: Visit) =>
  changing(visit, 'start', async () => {
    const { startTwoFactor } = await visit.ask(Start, { password: visit.form.password ?? '' });
    return setUpPage(visit, startTwoFactor.uri);
  });

async function confirm(visit: Visit): Promise<Answer> {
  const { code = '', uri = '' } = visit.form;
  return orFault(
    visit,
    async () => {
      const { confirmTwoFactor } = await visit.ask(Confirm, { code, session: visit.session });
      return codesPage(visit, confirmTwoFactor);
    },
    // the same QR code again
    (fault) =>
      uri.startsWith('otpauth://') && uri.length <= longestUri && URL.canParse(uri)
        ? setUpPage(visit, uri, fault)
        : { redirect: visit.url(path) },
  );
}

const regenerate = (visit: Visit) =>
  changing(visit, 'renew', async () => {
    const answer = await visit.ask(Regenerate, { password: visit.form.password ?? '' });
    return codesPage(visit, answer.resetRecoveryCodes);
  });

const disable = (visit: Visit) =>
  changing(visit, 'disable', async () => {
    const { form, session } = visit;
    await visit.ask(Disable, { password: form.password ?? '', session });
    return { redirect: visit.url(path) };
  });

const access = 'signed in';

export const twoFactorPages: readonly Page[] = [
  { method: 'get', path, access, answer: (visit) => statePage(visit) },
  { method: 'post', path, access, answer: start },
  { method: 'post', path: `${path}/confirm`, access, answer: confirm },
  { method: 'post', path: `${path}/recovery_codes`, access, answer: regenerate },
  { method: 'post', path: `${path}/disable`, access, answer: disable },
];
