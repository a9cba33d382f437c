import { graphql } from '../../../schema/client/graphql.ts';
import { invalid } from '../../../schema/kernel/errors.ts';
import { addressInGroup } from '../frame/address-in.ts';
import type { Group } from '../frame/group-head.ts';
import { type Fault, foundBy } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';

/** Groups that the form suggests; the path of any other can be entered. */
const mostGroups = 100;

const Parents = graphql(`
  query ParentsForGroup($skipIds: [Int!], $perPage: Int!) {
    groups(
      filter: { canAdminister: true, skipIds: $skipIds }, orderBy: path, perPage: $perPage
    ) { nodes { fullPath } }
  }
`);

const Transfer = graphql(`
  mutation TransferGroupByForm($group: ID!, $parent: ID) {
    moveGroup(group: $group, parent: $parent) { fullPath }
  }
`);

const Delete = graphql(`
  mutation DeleteGroupByForm($group: ID!) { deleteGroup(group: $group) }
`);

/** A form of the page, by the word after its address, with its errors. */
export interface Failed {
  readonly form: string;
  readonly fault: Fault;
}

type Endangered = Pick<Group, 'id' | 'fullPath'> & { readonly parentId: number | null };

/** The transfer and the deletion of a group. */
export async function dangerZone(visit: Visit, group: Endangered, failed?: Failed): Promise<Html> {
  const faultIn = (form: string) => (failed?.form === form ? failed.fault : undefined);
  return html`<section aria-labelledby="transfer"><h2 id="transfer">Transfer</h2>
<p class="quiet">Moves the group with its subgroups and projects into another group, or to the top level.</p>
${await transferForm(visit, group, faultIn('transfer'))}</section>
<section aria-labelledby="delete"><h2 id="delete">Delete</h2>
<p class="quiet">Deletes the group with its subgroups and projects.</p>
${deleteForm(visit, group, faultIn('delete'))}</section>`;
}

async function transferForm(visit: Visit, group: Endangered, fault?: Fault): Promise<Html> {
  const faults = fault?.fields ?? {};
  const { parent, confirmation } = fault ? visit.form : ({} as Visit['form']);
  const { groups } = await visit.ask(Parents, {
    skipIds: [group.id, ...(group.parentId === null ? [] : [group.parentId])],
    perPage: mostGroups,
  });
  const suggested = groups.nodes.filter(
    ({ fullPath }) => !fullPath.startsWith(`${group.fullPath}/`),
  );
  const controls = html`${field({
    name: 'parent',
    label: 'New parent group',
    value: parent ?? '',
    list: 'parents',
    autocomplete: 'off',
    hint: 'The path of a group that you own. Empty for the top level.',
    fault: parentFault(faults),
  })}
<datalist id="parents">${suggested.map(({ fullPath }) => html`<option value="${fullPath}"></option>`)}</datalist>
${confirmationField('transfer', group, faults, confirmation)}`;
  return html`<details class="confirm"${fault && html` open`}><summary>Transfer group</summary>
<div>${alert(fault ? (fault.text ?? otherFaults(faults, ['parent', 'confirmation'])) : null)}
<p>The addresses of the group and of everything in it change; the old ones redirect to the new ones. Members of the groups above lose
access, and those of the new parent get it. What is visible to more users than the new parent gets its visibility.</p>
${formOf(
  visit,
  {
    address: addressInGroup(visit, group, 'edit', 'transfer'),
    submit: 'Transfer group',
    look: 'danger',
  },
  controls,
)}</div></details>`;
}

/** The reasons of a refused transfer are sentences; that the group was not found is said of the field. */
function parentFault(faults: Fault['fields']): string | null {
  const [text] = faults.parent ?? [];
  return text?.startsWith('Transfer failed') ? text : faultText(faults, 'parent', 'The group');
}

const confirmationField = (
  form: string,
  { fullPath }: Endangered,
  faults: Fault['fields'],
  value = '',
): Html =>
  field({
    name: 'confirmation',
    id: `${form}-confirmation`,
    label: `Enter ${fullPath} to confirm`,
    value,
    isRequired: true,
    autocomplete: 'off',
    fault: faultText(faults, 'confirmation', 'Confirmation'),
  });

function deleteForm(visit: Visit, group: Endangered, fault?: Fault): Html {
  return html`<details class="confirm"${fault && html` open`}><summary>Delete group</summary>
<div>${alert(fault?.text ?? null)}
<p>The group is deleted with everything in it, and cannot be restored.</p>
${formOf(
  visit,
  {
    address: addressInGroup(visit, group, 'edit', 'delete'),
    submit: 'Delete group',
    look: 'danger',
  },
  confirmationField('delete', group, fault?.fields ?? {}, fault && visit.form.confirmation),
)}</div></details>`;
}

function refuseUnconfirmed({ form }: Visit, group: Group): void {
  if (form.confirmation?.trim() !== group.fullPath) {
    throw invalid({ confirmation: ['is not the path of the group'] });
  }
}

type Submit = (visit: Visit, group: Group) => Promise<string>;

const transfer: Submit = async (visit, group) => {
  refuseUnconfirmed(visit, group);
  const variables = { group: String(group.id), parent: visit.form.parent?.trim() || null };
  const { moveGroup } = await foundBy('parent', () => visit.ask(Transfer, variables));
  return `${addressInGroup(visit, moveGroup, 'edit')}?saved=1`;
};

const remove: Submit = async (visit, group) => {
  refuseUnconfirmed(visit, group);
  await visit.ask(Delete, { group: String(group.id) });
  return visit.url('/groups');
};

/** The actions by their word; each returns the address to show next. */
export const dangerousActions: ReadonlyMap<string, Submit> = new Map([
  ['transfer', transfer],
  ['delete', remove],
]);
