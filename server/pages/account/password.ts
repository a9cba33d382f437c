import { graphql } from '../../../schema/client/graphql.ts';
import { profileMenu } from '../frame/profile-menu.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { passwordField } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert, notice } from '../kernel/parts.ts';

const HasPassword = graphql(`
  query HasPassword { viewer { account { hasPassword } } }
`);

const Change = graphql(`
  mutation ChangePassword($currentPassword: String!, $newPassword: String!, $session: String) {
    changePassword(currentPassword: $currentPassword, newPassword: $newPassword, session: $session) { id }
  }
`);

interface Outcome {
  readonly fault?: Fault;
  readonly isChanged?: boolean;
}

async function passwordPage(visit: Visit, outcome: Outcome = {}): Promise<ShownPage> {
  const { viewer } = await visit.ask(HasPassword, {});
  return {
    title: 'Password',
    status: outcome.fault?.status ?? 200,
    main: html`${profileMenu(visit, '/profile/password')}
<div class="narrow">
<h1>Password</h1>
${outcome.isChanged && notice('Your password was changed. Other browsers were signed out.')}
${
  viewer.account?.hasPassword
    ? passwordForm(visit, outcome.fault)
    : html`<p>Your password is managed by a directory server. Change it there.</p>`
}
</div>`,
  };
}

const passwordForm = ({ url, formToken, viewer }: Visit, fault: Fault | undefined): Html => html`
${alert(fault?.text ?? null)}
<form method="post" action="${url('/profile/password')}">
${formToken}
<input type="hidden" name="username" value="${viewer?.username}" autocomplete="username">
${passwordField({
  name: 'current_password',
  label: 'Current password',
  autocomplete: 'current-password',
  fault: faultText(fault?.fields ?? {}, 'currentPassword', 'Current password'),
})}
${passwordField({
  name: 'new_password',
  label: 'New password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters.',
  fault: faultText(fault?.fields ?? {}, 'newPassword', 'New password'),
})}
${passwordField({
  name: 'confirmation',
  label: 'Confirm new password',
  autocomplete: 'new-password',
  fault: faultText(fault?.fields ?? {}, 'confirmation', 'Confirmation'),
})}
<button>Change password</button>
</form>`;

function change(visit: Visit): Promise<Answer> {
  const { form, session } = visit;
  const currentPassword = form.current_password ?? '';
  const newPassword = form.new_password ?? '';
  const again = (fault: Fault) => passwordPage(visit, { fault });
  if (form.confirmation !== newPassword) {
    return again({
      status: 422,
      text: null,
      fields: { confirmation: ['does not match the new password'] },
    });
  }
  return orFault(
    visit,
    async () => {
      await visit.ask(Change, { currentPassword, newPassword, session });
      return passwordPage(visit, { isChanged: true });
    },
    again,
  );
}

const access = 'signed in';

export const passwordPages: readonly Page[] = [
  { method: 'get', path: '/profile/password', access, answer: (visit) => passwordPage(visit) },
  { method: 'post', path: '/profile/password', access, answer: change },
];
