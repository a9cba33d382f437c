import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { numberOf } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf, otherFaults, select, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { choices } from '../kernel/listing.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { alert, emptyState } from '../kernel/parts.ts';
import { namespaceOptions } from './namespaces.ts';
import { visibilityChoice, visibilityIn } from './visibility.ts';

const Create = graphql(`
  mutation CreateProjectByForm($namespaceId: Int, $importUrl: String, $settings: ProjectSettings!) {
    createProject(namespaceId: $namespaceId, importUrl: $importUrl, settings: $settings) {
      id name fullPath description
    }
  }
`);

const AddReadme = graphql(`
  mutation AddReadme($project: ID!, $branch: String!, $content: String!) {
    createFile(
      project: $project, path: "README.md", content: $content
      commit: { branch: $branch, message: "Add README" }
    ) { id }
  }
`);

/** The branch of the first commit of a project that begins with a README. */
const firstBranch = 'master';

const address = '/projects/new';
const fields = ['name', 'path', 'namespaceId', 'description', 'visibility', 'importUrl'];

async function newProject(visit: Visit, fault?: Fault): Promise<ShownPage> {
  const { url, form, query } = visit;
  const isImport = (form.from ?? query.from) === 'url';
  const requested = form.namespace_id ?? query.namespace_id;
  const namespaces = await namespaceOptions(visit, requested);
  const within = requested ? `namespace_id=${encodeURIComponent(requested)}` : '';
  const body =
    namespaces.options.length === 0
      ? emptyState(
          'You cannot create projects',
          'Your account may have no personal projects, and you are a master of no group.',
        )
      : projectForm(visit, { isImport, namespaces, fault });
  return {
    title: 'New project',
    status: fault?.status ?? 200,
    main: html`<h1>New project</h1>
${choices(
  'How the project begins',
  [
    ['Blank project', url(within ? `${address}?${within}` : address)],
    ['Import by URL', url(`${address}?from=url${within && `&${within}`}`)],
  ],
  isImport ? 'Import by URL' : 'Blank project',
)}
${body}`,
  };
}

interface Parts {
  readonly isImport: boolean;
  readonly namespaces: Awaited<ReturnType<typeof namespaceOptions>>;
  readonly fault: Fault | undefined;
}

function projectForm(visit: Visit, { isImport, namespaces, fault }: Parts): Html {
  const { form, url, settings } = visit;
  const faults = fault?.fields ?? {};
  const importField =
    isImport &&
    field({
      name: 'import_url',
      label: 'URL of the repository',
      type: 'url',
      value: form.import_url ?? '',
      isRequired: true,
      placeholder: 'https://example.com/group/project.git',
      hint: 'HTTP or HTTPS. For a private repository, put the credentials into the URL: https://user:token@example.com/….',
      fault: faultText(faults, 'importUrl', 'URL'),
    });
  const controls = html`${isImport && html`<input type="hidden" name="from" value="url">`}
${importField}
${select({
  name: 'namespace_id',
  label: 'Namespace',
  value: namespaces.chosen,
  options: namespaces.options,
  hint: namespaces.hint,
  fault: faultText(faults, 'namespaceId', 'Namespace'),
})}
${field({
  name: 'name',
  label: 'Name',
  value: form.name ?? '',
  isRequired: true,
  autocomplete: 'off',
  fault: faultText(faults, 'name', 'Name'),
})}
${field({
  name: 'path',
  label: 'Path',
  value: form.path ?? '',
  autocomplete: 'off',
  hint: 'The last part of the address. If it is empty, it is derived from the name.',
  fault: faultText(faults, 'path', 'Path'),
})}
${textArea({
  name: 'description',
  label: 'Description',
  rows: 3,
  value: form.description ?? '',
  fault: faultText(faults, 'description', 'Description'),
})}
${visibilityChoice(
  form.visibility ?? settings.defaultProjectVisibility,
  faultText(faults, 'visibility', 'Visibility'),
)}
${
  !isImport &&
  checkbox({
    name: 'readme',
    label: 'Add a README',
    isChecked: form.readme === '1',
    hint: 'The repository begins with one commit, so that you can clone it at once.',
  })
}`;
  return html`${alert(fault?.text ?? otherFaults(faults, fields))}
${formOf(visit, { address: url(address), submit: isImport ? 'Import project' : 'Create project', cancel: url('/') }, controls)}`;
}

function create(visit: Visit): Promise<Answer> {
  const { form } = visit;
  const { name = '', path = '', description = '', import_url: importUrl = '' } = form;
  const isImport = form.from === 'url';
  const again = (fault: Fault) => newProject(visit, fault);
  if (isImport && importUrl === '') {
    return again({ status: 422, text: null, fields: { importUrl: ["can't be blank"] } });
  }
  return orFault(
    visit,
    async () => {
      const { createProject: project } = await visit.ask(Create, {
        namespaceId: numberOf(form.namespace_id),
        importUrl: isImport ? importUrl : null,
        settings: {
          name,
          ...(path && { path }),
          ...(description && { description }),
          ...visibilityIn(form.visibility),
        },
      });
      if (!isImport && form.readme === '1') {
        const content = `# ${project.name}\n${description && `\n${description.trim()}\n`}`;
        const target = { project: String(project.id), branch: firstBranch };
        await visit.ask(AddReadme, { ...target, content });
      }
      return { redirect: addressIn(visit, project) };
    },
    again,
  );
}

export const newProjectPages: readonly Page[] = [
  { method: 'get', path: address, access: 'signed in', answer: (visit) => newProject(visit) },
  { method: 'post', path: address, access: 'signed in', answer: create },
];
