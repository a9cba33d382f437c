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
import { rulesPerPage } from './protected-branches.ts';

export const protectedTagFields = graphql(`
  fragment ProtectedTagSettings on ProtectedTag { name create { level description } }
`);

type Rule = ResultOf<typeof protectedTagFields>;

const create = graphql(`
  mutation ProtectTags($project: ID!, $name: String!, $level: Int!) {
    createProtectedTag(project: $project, name: $name, createAccessLevel: $level) { name }
  }
`);

const remove = graphql(`
  mutation UnprotectTags($project: ID!, $name: String!) {
    deleteProtectedTag(project: $project, name: $name)
  }
`);

interface Listed {
  readonly total: number;
  readonly nodes: readonly Rule[];
}

const place = 'protected_tags';

/** The rules that protect tags, with the form for another one. */
export function protectedTags(
  visit: Visit,
  project: Project,
  { total, nodes }: Listed,
  outcome: FormOutcome,
): Html {
  const address = addressIn(visit, project, 'settings', 'repository');
  const fault = faultIn(outcome, place);
  const input = fault ? visit.form : {};
  return html`<section aria-labelledby="protected-tags">
<h2 id="protected-tags">Protected tags</h2>
<p class="quiet">Only users with these levels may create matching tags.</p>
${entries(
  nodes.map((rule) => row(visit, `${address}/${place}`, rule)),
  'No tags are protected.',
)}
${pager({ address, page: pageOf(visit, 'tags'), total, size: rulesPerPage, parameter: 'tags', label: 'Pages of protected tags' })}
<h3>Protect a tag</h3>
${formAlert(fault, ['name'])}
${formOf(
  visit,
  { address: `${address}/${place}`, submit: 'Protect' },
  html`${field({
    name: 'name',
    id: 'tag-name',
    label: 'Tag',
    value: input.name ?? '',
    isRequired: true,
    placeholder: 'v*',
    hint: 'A name, or a pattern in which * stands for any text.',
    fault: faultText(fault?.fields ?? {}, 'name', 'Tag'),
  })}
${select({
  name: 'create_access_level',
  label: 'Allowed to create',
  value: input.create_access_level ?? '40',
  options: ruleLevels,
})}`,
)}
</section>`;
}

const row = (visit: Visit, address: string, { name, create: { description } }: Rule): Html =>
  html`<div class="row"><code class="name">${name}</code>
<span class="quiet">Create: ${description}</span>
${actionForm(visit, {
  address: `${address}/remove`,
  label: 'Unprotect',
  about: name,
  look: 'small danger',
  fields: html`<input type="hidden" name="name" value="${name}">`,
})}</div>`;

/** Handles the forms of the section. */
export async function submitProtectedTag(
  visit: Visit,
  { id }: Project,
  action: string,
): Promise<void> {
  const rule = { project: String(id), name: visit.form.name ?? '' };
  const level = levelIn(visit.form.create_access_level);
  if (action === '') await visit.ask(create, { ...rule, level });
  else if (action === 'remove') await visit.ask(remove, rule);
  else throw pathNotFound();
}
