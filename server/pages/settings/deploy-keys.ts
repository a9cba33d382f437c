import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';
import { type FormOutcome, faultIn } from './form-outcome.ts';

export const deployKeyFields = graphql(`
  fragment DeployKeySettings on DeployKey {
    canPush sshKey { id title fingerprint createdAt lastUsedAt }
  }
`);

type DeployKey = ResultOf<typeof deployKeyFields>;

interface Listed {
  readonly deployKeys: { readonly total: number; readonly nodes: readonly DeployKey[] };
  /** Those of other projects, which the user may enable. */
  readonly sharableDeployKeys: { readonly nodes: readonly SharableKey[] };
}

type SharableKey = Pick<DeployKey['sshKey'], 'id' | 'title' | 'fingerprint'>;

const place = 'deploy_keys';

/** Deploy keys on a page. */
export const keysPerPage = 50;

/** The deploy keys of a project, with the form for another one. */
export function deployKeys(
  visit: Visit,
  project: Project,
  { deployKeys: { total, nodes }, sharableDeployKeys: { nodes: sharable } }: Listed,
  outcome: FormOutcome,
): Html {
  const address = addressIn(visit, project, 'settings', 'repository');
  const fault = faultIn(outcome, place);
  const input = fault ? visit.form : {};
  // an unreadable key has messages for its fingerprint, too
  const keyFault =
    faultText(fault?.fields ?? {}, 'key', 'Key') ??
    faultText(fault?.fields ?? {}, 'fingerprint', 'Key');
  return html`<section aria-labelledby="deploy-keys">
<h2 id="deploy-keys">Deploy keys</h2>
<p class="quiet">SSH keys of servers that clone or push to this project without a user account.</p>
${entries(
  nodes.map((key) => row(visit, `${address}/${place}`, key, outcome)),
  'There are no deploy keys.',
)}
${pager({ address, page: pageOf(visit, 'keys'), total, size: keysPerPage, parameter: 'keys', label: 'Pages of deploy keys' })}
${sharable.length > 0 && sharableKeys(visit, `${address}/${place}`, sharable)}
<h3>Add a deploy key</h3>
${formAlert(fault, ['title', 'key', 'fingerprint'])}
${formOf(
  visit,
  { address: `${address}/${place}`, submit: 'Add key' },
  html`${field({
    name: 'title',
    label: 'Title',
    value: input.title ?? '',
    isRequired: true,
    fault: faultText(fault?.fields ?? {}, 'title', 'Title'),
  })}
${textArea({
  name: 'key',
  label: 'Public key',
  value: input.key ?? '',
  rows: 3,
  isCode: true,
  isRequired: true,
  hint: 'As in ~/.ssh/id_ed25519.pub.',
  fault: keyFault,
})}
${checkbox({ name: 'can_push', label: 'May push', isChecked: input.can_push === '1' })}`,
)}
</section>`;
}

const sharableKeys = (visit: Visit, address: string, keys: readonly SharableKey[]): Html =>
  html`<h3>Deploy keys of your other projects</h3>
${entries(
  keys.map(
    ({ id, title, fingerprint }) =>
      html`<div class="row"><span class="name">${title}</span> <code>${fingerprint}</code>
${actionForm(visit, { address: `${address}/${id}/enable`, label: 'Enable', about: title, look: 'small' })}</div>`,
  ),
  '',
)}`;

function row(
  visit: Visit,
  address: string,
  { canPush, sshKey }: DeployKey,
  outcome: FormOutcome,
): Html {
  const { id, title, fingerprint, createdAt, lastUsedAt } = sshKey;
  const fault = faultIn(outcome, `${place}/${id}/update`);
  const input = fault ? visit.form : { title, can_push: canPush ? '1' : '0' };
  return html`<div class="row"><span class="name">${title}</span>${canPush && html`<span class="badge">may push</span>`}</div>
<span class="quiet"><code>${fingerprint}</code></span>
<span class="quiet">Added ${when(createdAt)} · ${lastUsedAt === null ? 'never used' : html`last used ${when(lastUsedAt)}`}</span>
<details${fault && html` open`}><summary aria-label="Change ${title}">Change</summary>
${formOf(
  visit,
  { address: `${address}/${id}/update`, submit: 'Save' },
  html`${field({
    name: 'title',
    id: `title-${id}`,
    label: 'Title',
    value: input.title ?? '',
    isRequired: true,
    fault: faultText(fault?.fields ?? {}, 'title', 'Title'),
  })}
${checkbox({ name: 'can_push', id: `can_push-${id}`, label: 'May push', isChecked: input.can_push === '1' })}`,
)}
${confirmedForm(
  visit,
  { address: `${address}/${id}/remove`, label: 'Remove', about: title },
  'Servers with this key lose access to the project.',
)}</details>`;
}
