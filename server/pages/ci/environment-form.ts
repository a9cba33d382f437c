import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { confirmedForm } from '../kernel/parts.ts';
import { refuseUnless } from '../kernel/refuse-unless.ts';

const permission = graphql(`
  query MayCreateEnvironments($project: ID!) {
    project(id: $project) { access { canCreateEnvironments } }
  }
`);

const single = graphql(`
  query EditedEnvironment($project: ID!, $id: Int!) {
    environment(project: $project, id: $id) { name externalUrl canChange }
  }
`);

const word = 'environments';

interface EnvironmentForm {
  readonly address: string;
  readonly submit: string;
  readonly cancel: string;
  readonly stored: { readonly name: string; readonly externalUrl: string | null };
  readonly fault: Fault | null;
}

function environmentForm(visit: Visit, { stored, fault, ...target }: EnvironmentForm): Html {
  const faults = fault?.fields ?? {};
  const input = fault ? environmentInput(visit) : stored;
  return html`${formAlert(fault, ['name', 'externalUrl', 'external_url'])}
${formOf(
  visit,
  target,
  html`${field({
    name: 'name',
    label: 'Name',
    value: input.name,
    isRequired: true,
    placeholder: 'production',
    fault: faultText(faults, 'name', 'Name'),
  })}
${field({
  name: 'external_url',
  label: 'External URL',
  type: 'url',
  value: input.externalUrl ?? '',
  hint: 'Where users reach what is deployed.',
  fault:
    faultText(faults, 'externalUrl', 'External URL') ??
    faultText(faults, 'external_url', 'External URL'),
})}`,
)}`;
}

/** The environment that the form was sent with. */
export const environmentInput = ({ form }: Visit) => ({
  name: form.name?.trim() ?? '',
  externalUrl: form.external_url?.trim() || null,
});

/** The page of a new environment. */
export async function newEnvironmentPage(
  visit: Visit,
  project: Project,
  fault: Fault | null = null,
): Promise<ShownPage> {
  const { access } = (await visit.ask(permission, { project: String(project.id) })).project;
  refuseUnless(access.canCreateEnvironments, visit);
  const address = addressIn(visit, project, word);
  const stored = { name: '', externalUrl: null };
  const main = html`<h1>New environment</h1>
${environmentForm(visit, { address, submit: 'Create environment', cancel: address, stored, fault })}`;
  const page = projectPage(visit, project, word, 'New environment', main);
  return { ...page, ...(fault && { status: fault.status }) };
}

/** Edits or deletes an environment. */
export async function editEnvironmentPage(
  visit: Visit,
  project: Project,
  id: number,
  fault: Fault | null = null,
): Promise<ShownPage> {
  const variables = { project: String(project.id), id };
  const stored = (await visit.ask(single, variables)).environment;
  refuseUnless(stored.canChange, visit);
  const address = addressIn(visit, project, word, String(id));
  const main = html`<h1>Edit ${stored.name}</h1>
${environmentForm(visit, { address, submit: 'Save', cancel: address, stored, fault })}
${confirmedForm(
  visit,
  { address: `${address}/delete`, label: 'Delete environment' },
  'Its deployments are deleted, too.',
)}`;
  const page = projectPage(visit, project, word, `Edit ${stored.name}`, main);
  return { ...page, ...(fault && { status: fault.status }) };
}
