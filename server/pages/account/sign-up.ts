import { graphql } from '../../../schema/client/graphql.ts';
import { canSignUp } from '../kernel/can-sign-up.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { missing } from '../kernel/refused.ts';
import { redirectAfterSignIn, returnToField, returnToOf } from '../kernel/return-to.ts';

const SignUp = graphql(`
  mutation SignUp(
    $name: String!, $username: String!, $email: String!, $password: String!, $replaces: String
  ) {
    signUp(
      name: $name, username: $username, email: $email, password: $password, replaces: $replaces
    ) { token }
  }
`);

const fields = [
  { name: 'name', label: 'Name', autocomplete: 'name' },
  {
    name: 'username',
    label: 'Username',
    autocomplete: 'username',
    hint: 'Letters, digits, dots, dashes and underscores. It is part of your profile URL.',
  },
  { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email' },
  {
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    hint: '8 to 128 characters',
  },
] as const;

function signUpPage(visit: Visit, fault: Fault | null = null): ShownPage {
  const { form, formToken, url } = visit;
  return {
    title: 'Sign up',
    status: fault?.status ?? 200,
    main: html`<div class="narrow card">
<h1>Sign up</h1>
${alert(fault?.text ?? (fault ? 'Please correct the fields below.' : null))}
<form method="post" action="${url('/users/sign_up')}">
${formToken}${returnToField(returnToOf(visit))}
${fields.map((given) =>
  field({
    ...given,
    isRequired: true,
    // never echo passwords
    value: given.name === 'password' ? '' : (form[given.name] ?? ''),
    fault: faultText(fault?.fields ?? {}, given.name, given.label),
  }),
)}
<button>Sign up</button>
</form>
<p>Already have an account? <a href="${url('/users/sign_in')}">Sign in</a></p>
</div>`,
  };
}

const signUp = (visit: Visit): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      const { form, session: replaces } = visit;
      const { name = '', username = '', email = '', password = '' } = form;
      const { signUp: opened } = await visit.ask(SignUp, {
        name,
        username,
        email,
        password,
        replaces,
      });
      visit.setSession(opened.token);
      return redirectAfterSignIn(visit, returnToOf(visit));
    },
    (fault) => signUpPage(visit, fault),
  );

/** These pages respond with 404 if sign-up is disabled. */
export const signUpPages: readonly Page[] = [
  {
    method: 'get',
    path: '/users/sign_up',
    access: 'anyone',
    answer: (visit) => {
      if (!canSignUp(visit.settings)) return missing;
      return visit.viewer ? redirectAfterSignIn(visit, returnToOf(visit)) : signUpPage(visit);
    },
  },
  {
    method: 'post',
    path: '/users/sign_up',
    access: 'anyone',
    answer: (visit) => (canSignUp(visit.settings) ? signUp(visit) : missing),
  },
];
