import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, textArea } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, ShownPage, Visit } from '../kernel/page.ts';
import { refuseUnless } from '../kernel/refuse-unless.ts';

const create = graphql(`
  mutation RunShownPipeline($project: ID!, $ref: String!, $variables: [PipelineVariableInput!]) {
    createPipeline(project: $project, ref: $ref, variables: $variables) { id }
  }
`);

const permission = graphql(`
  query MayRunPipelines($project: ID!) { project(id: $project) { access { canRunPipelines } } }
`);

/** The form to run a pipeline. */
export async function newPipelinePage(
  visit: Visit,
  project: Project,
  fault: Fault | null = null,
): Promise<ShownPage> {
  const { access } = (await visit.ask(permission, { project: String(project.id) })).project;
  refuseUnless(access.canRunPipelines, visit);
  const { form, query } = visit;
  const ref = fault ? form.ref : (query.ref ?? project.defaultBranch);
  const main = html`<h1>Run pipeline</h1>
${formAlert(fault, ['ref', 'variables'])}
${formOf(
  visit,
  {
    address: addressIn(visit, project, 'pipelines'),
    submit: 'Run pipeline',
    cancel: addressIn(visit, project, 'pipelines'),
  },
  html`${field({
    name: 'ref',
    label: 'Branch or tag',
    value: ref ?? '',
    isRequired: true,
    fault: faultText(fault?.fields ?? {}, 'ref', 'Branch or tag'),
  })}
${textArea({
  name: 'variables',
  label: 'Variables',
  value: fault ? (form.variables ?? '') : '',
  rows: 5,
  isCode: true,
  hint: 'One a line: KEY=value. They override those of the CI file, the project and its groups.',
  fault: faultText(fault?.fields ?? {}, 'variables', 'Variables:'),
})}`,
)}`;
  const page = projectPage(visit, project, 'pipelines', 'Run pipeline', main);
  return { ...page, ...(fault && { status: fault.status }) };
}

/** Runs a pipeline with the settings of the form. */
export function submitNewPipeline(visit: Visit, project: Project): Promise<Answer> {
  const variables = variablesIn(visit.form.variables ?? '');
  const again = (fault: Fault) => newPipelinePage(visit, project, fault);
  if (typeof variables === 'string') {
    return again({ status: 422, text: null, fields: { variables: [variables] } });
  }
  const ref = visit.form.ref?.trim() ?? '';
  return orFault(
    visit,
    async () => {
      const input = { project: String(project.id), ref, variables };
      const { id } = (await visit.ask(create, input)).createPipeline;
      return { redirect: addressIn(visit, project, 'pipelines', String(id)) };
    },
    again,
  );
}

/** The variables in lines `KEY=value`, or the error of the first other line. */
function variablesIn(text: string) {
  const variables: { key: string; value: string }[] = [];
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const sign = line.indexOf('=');
    if (sign < 0) return `line ${place + 1} has no “=”`;
    variables.push({ key: line.slice(0, sign).trim(), value: line.slice(sign + 1) });
  }
  return variables;
}
