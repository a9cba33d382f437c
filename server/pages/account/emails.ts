import { graphql } from '../../../schema/client/graphql.ts';
import { profilePage } from '../frame/profile-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import { badges, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { confirmedForm, saved } from '../kernel/parts.ts';

const Emails = graphql(`
  query OwnEmails($page: Int!, $perPage: Int!) {
    viewer { email isEmailVerified }
    emails(page: $page, perPage: $perPage) { total nodes { id email isVerified } }
  }
`);

const Create = graphql(`mutation AddEmail($email: String!) { createEmail(email: $email) { id } }`);
const Delete = graphql(`mutation DeleteEmail($id: Int!) { deleteEmail(id: $id) }`);

const path = '/profile/emails';

const badgeOf = (isVerified: boolean | null) => isVerified === false && badges(['not verified']);

async function emailsPage(visit: Visit, fault?: Fault): Promise<ShownPage> {
  const page = pageOf(visit);
  const { viewer, emails } = await visit.ask(Emails, { page, perPage });
  const others = emails.nodes.map(
    ({ id, email, isVerified }) =>
      html`<div class="bar"><span>${email} ${badgeOf(isVerified)}</span>${confirmedForm(
        visit,
        { address: visit.url(`${path}/${id}/delete`), label: 'Delete', about: email },
        'Commits with this address are no longer yours.',
      )}</div>`,
  );
  const faults = fault?.fields ?? {};
  return profilePage(visit, {
    section: path,
    title: 'E-mail addresses',
    status: fault?.status,
    main: html`<p>Commits with one of your verified addresses are shown as yours, and you can sign in with your
primary address. An administrator verifies addresses.</p>
${entries([html`${viewer.email} ${badges(['primary'])} ${badgeOf(viewer.isEmailVerified)}`, ...others], '')}
${pager({ address: visit.url(path), page, total: emails.total })}
<h2>Add an e-mail address</h2>
${formOf(
  visit,
  { address: visit.url(path), submit: 'Add address' },
  html`${faultAlert(fault, ['email'])}
${field({
  name: 'email',
  label: 'E-mail',
  type: 'email',
  value: fault ? (visit.form.email ?? '') : '',
  isRequired: true,
  autocomplete: 'email',
  fault: faultText(faults, 'email', 'E-mail'),
})}`,
)}`,
  });
}

const add = (visit: Visit): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      await visit.ask(Create, { email: visit.form.email?.trim() ?? '' });
      return saved(visit.url(path));
    },
    (fault) => emailsPage(visit, fault),
  );

async function remove(visit: Visit): Promise<Answer> {
  await visit.ask(Delete, { id: numberIn(visit.params.id ?? '') });
  return saved(visit.url(path));
}

const access = 'signed in';

/** The e-mail addresses of the user. */
export const emailPages: readonly Page[] = [
  { method: 'get', path, access, answer: (visit) => emailsPage(visit) },
  { method: 'post', path, access, answer: add },
  { method: 'post', path: `${path}/:id/delete`, access, answer: remove },
];
