import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { confirmedForm } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';
import { type FormOutcome, faultIn } from './form-outcome.ts';

export const deployKeyFields = graphql(`
  fragment DeployKeySettings on DeployKey {
    canPush sshKey { id title fingerprint createdAt lastUsedAt }
  }
`);

type DeployKey = ResultOf<typeof deployKeyFields>;

const add = graphql(`
  mutation AddShownDeployKey($project: ID!, $title: String!, $key: String!, $canPush: Boolean) {
    addDeployKey(project: $project, title: $title, key: $key, canPush: $canPush) { canPush }
  }
`);

const update = graphql(`
  mutation ChangeShownDeployKey($project: ID!, $id: Int!, $title: String!, $canPush: Boolean) {
    updateDeployKey(project: $project, sshKeyId: $id, title: $title, canPush: $canPush) { canPush }
  }
`);

const remove = graphql(`
  mutation RemoveShownDeployKey($project: ID!, $id: Int!) {
    removeDeployKey(project: $project, sshKeyId: $id)
  }
`);

interface Listed {
  readonly total: number;
  readonly nodes: readonly DeployKey[];
}

const place = 'deploy_keys';

/** Deploy keys on a page. */
export const keysPerPage = 50;

/** The deploy keys of a project, with the form for another one. */
export function deployKeys(
  visit: Visit,
  project: Project,
  { total, nodes }: Listed,
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
  hint: 'As in ~/.ssh/id_ed25519.pub. The key of another project in which you are a master is shared with it.',
  fault: keyFault,
})}
${checkbox({ name: 'can_push', label: 'May push', isChecked: input.can_push === '1' })}`,
)}
</section>`;
}

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

/** Handles the forms of the section. */
export async function submitDeployKey(visit: Visit, { id }: Project, rest: string): Promise<void> {
  const { form } = visit;
  const project = String(id);
  const change = { project, title: form.title ?? '', canPush: form.can_push === '1' };
  if (rest === '') {
    await visit.ask(add, { ...change, key: form.key ?? '' });
    return;
  }
  const [number, action] = splitFirst(rest);
  const keyId = numberIn(number);
  if (action === 'update') await visit.ask(update, { ...change, id: keyId });
  else if (action === 'remove') await visit.ask(remove, { project, id: keyId });
  else throw pathNotFound();
}
