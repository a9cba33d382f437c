import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { type FormOutcome, faultIn } from './form-outcome.ts';
import { levelIn, ruleLevels } from './levels.ts';

export const protectedBranchFields = graphql(`
  fragment ProtectedBranchSettings on ProtectedBranch {
    name push { level description } merge { level description }
  }
`);

type Rule = ResultOf<typeof protectedBranchFields>;

const create = graphql(`
  mutation ProtectBranches($project: ID!, $name: String!, $push: Int!, $merge: Int!) {
    createProtectedBranch(
      project: $project, name: $name, pushAccessLevel: $push, mergeAccessLevel: $merge
    ) { name }
  }
`);

const update = graphql(`
  mutation ChangeProtectedBranch($project: ID!, $name: String!, $push: Int!, $merge: Int!) {
    updateProtectedBranch(
      project: $project, name: $name, pushAccessLevel: $push, mergeAccessLevel: $merge
    ) { name }
  }
`);

const remove = graphql(`
  mutation UnprotectBranches($project: ID!, $name: String!) {
    deleteProtectedBranch(project: $project, name: $name)
  }
`);

interface Listed {
  readonly total: number;
  readonly nodes: readonly Rule[];
}

const place = 'protected_branches';

/** The rules that protect branches, with the form for another one. */
export function protectedBranches(
  visit: Visit,
  project: Project,
  { total, nodes }: Listed,
  outcome: FormOutcome,
): Html {
  const address = addressIn(visit, project, 'settings', 'repository');
  const fault = faultIn(outcome, place);
  const input = fault ? visit.form : {};
  return html`<section aria-labelledby="protected-branches">
<h2 id="protected-branches">Protected branches</h2>
<p class="quiet">Only users with these levels may push to and merge into matching branches. No user may force-push to
them or delete them with git.</p>
${formAlert(faultIn(outcome, `${place}/update`))}
${entries(
  nodes.map((rule, number) => row(visit, `${address}/${place}`, rule, number)),
  'No branches are protected.',
)}
${pager({ address, page: pageOf(visit, 'branches'), total, size: rulesPerPage, parameter: 'branches', label: 'Pages of protected branches' })}
<h3>Protect a branch</h3>
${formAlert(fault, ['name'])}
${formOf(
  visit,
  { address: `${address}/${place}`, submit: 'Protect' },
  html`${field({
    name: 'name',
    id: 'branch-name',
    label: 'Branch',
    value: input.name ?? '',
    isRequired: true,
    placeholder: 'release/*',
    hint: 'A name, or a pattern in which * stands for any text.',
    fault: faultText(fault?.fields ?? {}, 'name', 'Branch'),
  })}
${levels('new-branch', input.push_access_level ?? '40', input.merge_access_level ?? '40')}`,
)}
</section>`;
}

/** Rules on a page. */
export const rulesPerPage = 50;

const levels = (id: string, push: string, merge: string): Html => html`${select({
  name: 'push_access_level',
  id: `${id}-push`,
  label: 'Allowed to push',
  value: push,
  options: ruleLevels,
})}
${select({
  name: 'merge_access_level',
  id: `${id}-merge`,
  label: 'Allowed to merge',
  value: merge,
  options: ruleLevels,
})}`;

function row(visit: Visit, address: string, { name, push, merge }: Rule, number: number): Html {
  const fields = html`<input type="hidden" name="name" value="${name}">`;
  return html`<div class="row"><code class="name">${name}</code>
<span class="quiet">Push: ${push.description} · Merge: ${merge.description}</span>
${actionForm(visit, { address: `${address}/remove`, label: 'Unprotect', about: name, look: 'small danger', fields })}</div>
<details><summary aria-label="Change ${name}">Change</summary>
${formOf(
  visit,
  { address: `${address}/update`, submit: 'Save' },
  html`${fields}${levels(`branch-${number}`, String(push.level), String(merge.level))}`,
)}</details>`;
}

/** Handles the forms of the section. */
export async function submitProtectedBranch(
  visit: Visit,
  { id }: Project,
  action: string,
): Promise<void> {
  const { form } = visit;
  const rule = { project: String(id), name: form.name ?? '' };
  const given = {
    push: levelIn(form.push_access_level),
    merge: levelIn(form.merge_access_level),
  };
  if (action === '') await visit.ask(create, { ...rule, ...given });
  else if (action === 'update') await visit.ask(update, { ...rule, ...given });
  else if (action === 'remove') await visit.ask(remove, rule);
  else throw pathNotFound();
}
