import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { profilePage } from '../frame/profile-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, textArea } from '../kernel/forms.ts';
import { html, type Shown } from '../kernel/html.ts';
import { pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { confirmedForm, emptyState, saved, table } from '../kernel/parts.ts';
import { day, isDay, when } from '../kernel/times.ts';

const Keys = graphql(`
  query OwnKeys($page: Int!, $perPage: Int!) {
    sshKeys(page: $page, perPage: $perPage) {
      total
      nodes { id title fingerprint addedBy createdAt expiresAt lastUsedAt }
    }
  }
`);

const Create = graphql(`
  mutation AddKey($title: String!, $key: String!, $expiresAt: DateTime) {
    createSshKey(title: $title, key: $key, expiresAt: $expiresAt) { id }
  }
`);

const Delete = graphql(`mutation DeleteKey($id: Int!) { deleteSshKey(id: $id) }`);

type Key = ResultOf<typeof Keys>['sshKeys']['nodes'][number];

const path = '/profile/keys';

async function keysPage(visit: Visit, fault?: Fault): Promise<ShownPage> {
  const page = pageOf(visit);
  const { sshKeys } = await visit.ask(Keys, { page, perPage });
  const headings = ['Key', 'Added', 'Last used', 'Expires', ''];
  return profilePage(visit, {
    section: path,
    title: 'SSH keys',
    status: fault?.status,
    main: html`<p>With an SSH key you use git without a password.</p>
${
  sshKeys.total === 0
    ? emptyState(
        'No SSH keys',
        html`Create one with <code>ssh-keygen -t ed25519</code>, and add its public part below.`,
      )
    : table(
        'SSH keys',
        'There are no more keys.',
        headings,
        sshKeys.nodes.map((key) => rowOf(visit, key)),
      )
}
${pager({ address: visit.url(path), page, total: sshKeys.total })}
<h2>Add an SSH key</h2>
${keyForm(visit, fault)}`,
  });
}

const rowOf = (visit: Visit, key: Key): readonly Shown[] => [
  html`${key.title}<br><code class="long">${key.fingerprint}</code>${
    key.addedBy !== null &&
    html`<br><span class="quiet">Added by the application ${key.addedBy}</span>`
  }`,
  day(key.createdAt),
  key.lastUsedAt === null ? 'never' : when(key.lastUsedAt),
  key.expiresAt === null ? 'never' : day(key.expiresAt),
  confirmedForm(
    visit,
    { address: visit.url(`${path}/${key.id}/delete`), label: 'Delete', about: key.title },
    'Computers with this key can no longer use git over SSH.',
  ),
];

function keyForm(visit: Visit, fault: Fault | undefined) {
  const faults = fault?.fields ?? {};
  const value = (name: string) => (fault ? (visit.form[name] ?? '') : '');
  return formOf(
    visit,
    { address: visit.url(path), submit: 'Add key' },
    html`${faultAlert(fault, ['key', 'title', 'expiresAt'])}
${textArea({
  name: 'key',
  label: 'Public key',
  value: value('key'),
  isCode: true,
  isRequired: true,
  rows: 4,
  hint: 'The content of a file such as ~/.ssh/id_ed25519.pub. It begins with ssh-ed25519, ssh-rsa or ecdsa-sha2.',
  fault: faultText(faults, 'key', 'Key'),
})}
${field({
  name: 'title',
  label: 'Title',
  value: value('title'),
  isRequired: true,
  hint: 'Such as the name of the computer.',
  fault: faultText(faults, 'title', 'Title'),
})}
${field({
  name: 'expiresAt',
  label: 'Expires',
  type: 'date',
  value: value('expiresAt'),
  hint: 'At 00:00 UTC on this day. Without a date, the key does not expire.',
  fault: faultText(faults, 'expiresAt', 'Expiry date'),
})}`,
  );
}

function add(visit: Visit): Promise<Answer> | Answer {
  const { key = '', title = '', expiresAt = '' } = visit.form;
  if (expiresAt !== '' && !isDay(expiresAt)) {
    const fields = { expiresAt: ['is not a valid date'] };
    return keysPage(visit, { status: 422, text: null, fields });
  }
  return orFault(
    visit,
    async () => {
      await visit.ask(Create, {
        key,
        title,
        expiresAt: expiresAt === '' ? null : `${expiresAt}T00:00:00Z`,
      });
      return saved(visit.url(path));
    },
    (fault) => keysPage(visit, fault),
  );
}

async function remove(visit: Visit): Promise<Answer> {
  await visit.ask(Delete, { id: numberIn(visit.params.id ?? '') });
  return saved(visit.url(path));
}

const access = 'signed in';

/** The SSH keys of the user. */
export const keyPages: readonly Page[] = [
  { method: 'get', path, access, answer: (visit) => keysPage(visit) },
  { method: 'post', path, access, answer: add },
  { method: 'post', path: `${path}/:id/delete`, access, answer: remove },
];
