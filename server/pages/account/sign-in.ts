import { graphql } from '../../../schema/client/graphql.ts';
import { canSignUp } from '../kernel/can-sign-up.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { field, passwordField } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert, paragraphs } from '../kernel/parts.ts';
import {
  redirectAfterSignIn,
  returnToField,
  returnToOf,
  withReturnTo,
} from '../kernel/return-to.ts';

const SignIn = graphql(`
  mutation SignInBrowser($login: String!, $password: String!, $replaces: String) {
    createBrowserSession(login: $login, password: $password, replaces: $replaces) {
      token needsSecondFactor
    }
  }
`);

const SignOut = graphql(`
  mutation SignOutBrowser($token: String!) { endBrowserSession(token: $token) }
`);

function signInPage(visit: Visit, fault: Fault | null = null): ShownPage {
  const { settings, hasDirectory, url } = visit;
  const returnTo = returnToOf(visit);
  return {
    title: 'Sign in',
    status: fault?.status ?? 200,
    main: html`<div class="narrow card">
<h1>Sign in</h1>
${visit.viewer && html`<p>To continue, the application asks you to sign in again.</p>`}
${settings.signInText ? html`<div class="quiet">${paragraphs(settings.signInText)}</div>` : null}
${alert(fault?.text ?? null)}
${settings.passwordAuthenticationEnabled || hasDirectory ? passwordForm(visit, returnTo) : noPasswords}
${
  canSignUp(settings) &&
  html`<p>No account yet? <a href="${url(withReturnTo('/users/sign_up', returnTo))}">Sign up</a></p>`
}
</div>`,
  };
}

const noPasswords = html`<p class="alert">Password sign-in is disabled.</p>`;

const passwordForm = ({ url, formToken, form }: Visit, returnTo: string | null): Html => html`
<form method="post" action="${url('/users/sign_in')}">
${formToken}${returnToField(returnTo)}
${field({
  name: 'login',
  label: 'Username or e-mail',
  value: form.login ?? '',
  autocomplete: 'username',
  isRequired: true,
})}
${passwordField({
  name: 'password',
  label: 'Password',
  autocomplete: 'current-password',
})}
<button>Sign in</button>
</form>`;

const wrong = 'Invalid login or password.';

const signIn = (visit: Visit): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      const { form, session } = visit;
      const { createBrowserSession: opened } = await visit.ask(SignIn, {
        login: form.login ?? '',
        password: form.password ?? '',
        replaces: session,
      });
      visit.setSession(opened.token);
      const returnTo = returnToOf(visit);
      return opened.needsSecondFactor
        ? { redirect: visit.url(withReturnTo('/users/two_factor', returnTo)) }
        : redirectAfterSignIn(visit, returnTo);
    },
    (fault) => signInPage(visit, fault),
    wrong,
  );

async function signOut(visit: Visit): Promise<Answer> {
  if (visit.session) await visit.ask(SignOut, { token: visit.session });
  visit.setSession(null);
  const { afterSignOutPath } = visit.settings;
  return { redirect: afterSignOutPath || visit.url('/users/sign_in') };
}

export const signInPages: readonly Page[] = [
  {
    method: 'get',
    path: '/users/sign_in',
    access: 'anyone',
    answer: (visit) =>
      visit.viewer && visit.query.again === undefined
        ? redirectAfterSignIn(visit, returnToOf(visit))
        : signInPage(visit),
  },
  { method: 'post', path: '/users/sign_in', access: 'anyone', answer: signIn },
  { method: 'post', path: '/users/sign_out', access: 'anyone', answer: signOut },
];
