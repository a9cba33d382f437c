import { refusal } from '../../../schema/client/execute.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import { type Fault, faultOf } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import {
  redirectAfterSignIn,
  returnToField,
  returnToOf,
  withReturnTo,
} from '../kernel/return-to.ts';

const PassSecondFactor = graphql(`
  mutation PassSecondFactor($token: String!, $code: String!) {
    confirmBrowserSession(token: $token, code: $code) { token }
  }
`);

function secondFactorPage(visit: Visit, fault: Fault | null = null): ShownPage {
  const { formToken, url } = visit;
  return {
    title: 'Two-factor authentication',
    // a wrong code is a wrong credential, not an invalid field
    status: fault?.status === 422 ? 401 : (fault?.status ?? 200),
    main: html`<div class="narrow card">
<h1>Two-factor authentication</h1>
${alert(fault?.text ?? null)}
<form method="post" action="${url('/users/two_factor')}">
${formToken}${returnToField(returnToOf(visit))}
${field({
  name: 'code',
  label: 'One-time password',
  autocomplete: 'one-time-code',
  isRequired: true,
  hint: 'The six-digit code from your authenticator app, or a recovery code',
  fault: faultText(fault?.fields ?? {}, 'code', 'This one-time password'),
})}
<button>Continue</button>
</form>
</div>`,
  };
}

const anew = (visit: Visit): Answer => ({
  redirect: visit.url(withReturnTo('/users/sign_in', returnToOf(visit))),
});

async function pass(visit: Visit): Promise<Answer> {
  const { session, form } = visit;
  if (!session) return anew(visit);
  try {
    const { confirmBrowserSession: opened } = await visit.ask(PassSecondFactor, {
      token: session,
      code: form.code ?? '',
    });
    visit.setSession(opened.token);
    return redirectAfterSignIn(visit, returnToOf(visit));
  } catch (error) {
    // the session expired, or the password was never entered
    if (refusal(error)?.code === 'UNAUTHENTICATED') return anew(visit);
    const fault = faultOf(error, visit);
    if (!fault) throw error;
    return secondFactorPage(visit, fault);
  }
}

export const secondFactorPages: readonly Page[] = [
  {
    method: 'get',
    path: '/users/two_factor',
    access: 'anyone',
    answer: (visit) => {
      if (visit.viewer) return redirectAfterSignIn(visit, returnToOf(visit));
      return visit.session ? secondFactorPage(visit) : anew(visit);
    },
  },
  { method: 'post', path: '/users/two_factor', access: 'anyone', answer: pass },
];
