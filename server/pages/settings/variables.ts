import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import type { Fault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { confirmedForm, table } from '../kernel/parts.ts';

/** The variables of a project or group, and the address of the page that lists them. */
export interface VariableOwner {
  readonly source: { readonly project: string } | { readonly group: string };
  readonly address: string;
}

const list = graphql(`
  query ListedVariables($source: GroupOrProject!, $page: Int!, $perPage: Int!) {
    variables(source: $source, page: $page, perPage: $perPage) { total nodes { key isProtected } }
  }
`);

const single = graphql(`
  query EditedVariable($source: GroupOrProject!, $key: String!) {
    variable(source: $source, key: $key) { key value isProtected }
  }
`);

const size = 100;

const about = 'Jobs get the variables of their project and its groups in their environment.';

/** The variables, without their values, and the form for another one. */
export async function variables(
  visit: Visit,
  { source, address }: VariableOwner,
  fault: Fault | null,
): Promise<Html> {
  const page = pageOf(visit, 'variables');
  const { total, nodes } = (await visit.ask(list, { source, page, perPage: size })).variables;
  const input = fault ? visit.form : {};
  return html`<section aria-labelledby="variables">
<h2 id="variables">Variables</h2>
<p class="quiet">${about} Values are shown only where they are edited.</p>
${table(
  'Variables',
  'There are no variables.',
  ['Key', 'Value', 'Protected', ''],
  nodes.map(({ key, isProtected }) => [
    html`<code>${key}</code>`,
    html`<span class="quiet">hidden</span>`,
    isProtected ? 'yes' : 'no',
    html`<a class="button secondary small" href="${address}/variables/${key}" aria-label="Edit ${key}">Edit</a>`,
  ]),
)}
${pager({ address, page, total, size, parameter: 'variables', label: 'Pages of variables' })}
<h3>Add a variable</h3>
${formAlert(fault, ['key', 'value'])}
${formOf(
  visit,
  { address: `${address}/variables`, submit: 'Add variable' },
  html`${field({
    name: 'key',
    label: 'Key',
    value: input.key ?? '',
    isRequired: true,
    hint: 'Letters, digits and underscores.',
    fault: faultText(fault?.fields ?? {}, 'key', 'Key'),
  })}
${valueControls(input.value ?? '', input.is_protected === '1', fault)}`,
)}
</section>`;
}

const valueControls = (value: string, isProtected: boolean, fault: Fault | null): Html =>
  html`${textArea({
    name: 'value',
    label: 'Value',
    value,
    rows: 3,
    isCode: true,
    fault: faultText(fault?.fields ?? {}, 'value', 'Value'),
  })}
${checkbox({
  name: 'is_protected',
  label: 'Protected',
  isChecked: isProtected,
  hint: 'Only jobs of protected branches and tags get it.',
})}`;

type Variable = ResultOf<typeof single>['variable'];

/** Edits a variable, and shows its value. */
export async function variablePage(
  visit: Visit,
  { source, address }: VariableOwner,
  name: string,
  fault: Fault | null = null,
): Promise<Html> {
  const variable: Variable = (await visit.ask(single, { source, key: name })).variable;
  const { key } = variable;
  const { form } = visit;
  const [value, isProtected] = fault
    ? [form.value ?? '', form.is_protected === '1']
    : [variable.value, variable.isProtected];
  return html`<h1>Variable <code>${key}</code></h1>
${formAlert(fault, ['value'])}
${formOf(
  visit,
  { address: `${address}/variables/${key}`, submit: 'Save', cancel: `${address}#variables` },
  valueControls(value, isProtected, fault),
)}
${confirmedForm(
  visit,
  { address: `${address}/variables/${key}/remove`, label: 'Delete variable', about: key },
  'The value cannot be restored.',
)}`;
}
