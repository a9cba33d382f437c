import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { formOf, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { notice } from '../kernel/parts.ts';

const lint = graphql(`
  query LintedCiFile($content: String!) { ciLint(content: $content) { isValid errors } }
`);

function lintPage(
  visit: Visit,
  project: Project,
  { result, fault = null }: { readonly result?: Html; readonly fault?: Fault | null } = {},
): ShownPage {
  const main = html`<h1>Validate a CI file</h1>
${result}${formAlert(fault)}
${formOf(
  visit,
  { address: addressIn(visit, project, 'ci', 'lint'), submit: 'Validate' },
  textArea({
    name: 'content',
    label: `Content of ${project.ciConfigPath ?? '.gitlab-ci.yml'}`,
    value: visit.form.content ?? '',
    rows: 20,
    isCode: true,
    isRequired: true,
  }),
)}`;
  const page = projectPage(visit, project, 'pipelines', 'Validate a CI file', main);
  return { ...page, ...(fault && { status: fault.status }) };
}

const shown = ({ isValid, errors }: ResultOf<typeof lint>['ciLint']): Html =>
  isValid
    ? notice('The file is valid.')
    : html`<div class="alert" role="alert"><p>The file is invalid:</p>
<ul>${errors.map((error) => html`<li class="lines">${error}</li>`)}</ul></div>`;

const mustBeLint = (rest: string): void => {
  if (rest !== 'lint') throw pathNotFound();
};

/** The form to validate a CI file: `ci/lint`. */
export const showLint: ProjectPage = (visit, project, rest) => {
  mustBeLint(rest);
  return lintPage(visit, project);
};

/** The form again, with the result. */
export const submitLint: ProjectPage = (visit, project, rest) => {
  mustBeLint(rest);
  return orFault(
    visit,
    async () => {
      const { ciLint } = await visit.ask(lint, { content: visit.form.content ?? '' });
      return lintPage(visit, project, { result: shown(ciLint) });
    },
    (fault) => lintPage(visit, project, { fault }),
  );
};
