import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden } from '../../../schema/kernel/errors.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { choiceGroup, field, formOf, otherFaults, textArea } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import type { SnippetHome } from './home.ts';
import { readSnippet } from './snippet.ts';

const create = graphql(`
  mutation CreateShownSnippet($project: ID, $snippet: NewSnippet!) {
    createSnippet(project: $project, snippet: $snippet) { id }
  }
`);

const change = graphql(`
  mutation ChangeShownSnippet($project: ID, $id: Int!, $change: SnippetChange!) {
    updateSnippet(project: $project, id: $id, change: $change) { id }
  }
`);

const remove = graphql(`
  mutation DeleteShownSnippet($project: ID, $id: Int!) { deleteSnippet(project: $project, id: $id) }
`);

const visibilities = ['private', 'internal', 'public'] as const;

const submitted = ({ form }: Visit) => ({
  title: form.title?.trim() ?? '',
  description: (form.description ?? '').replaceAll('\r\n', '\n'),
  fileName: form.file_name?.trim() ?? '',
  // browsers send line ends as CR LF
  content: (form.content ?? '').replaceAll('\r\n', '\n'),
  visibility: visibilities.find((visibility) => visibility === form.visibility) ?? 'private',
});

type SnippetFields = ReturnType<typeof submitted>;

/** The form of a new snippet. */
export const showNewSnippet = (visit: Visit, home: SnippetHome): Answer =>
  formPage(visit, home, {
    id: null,
    snippet: {
      title: '',
      description: '',
      fileName: '',
      content: '',
      visibility: visit.settings.defaultSnippetVisibility,
    },
  });

export function submitNewSnippet(visit: Visit, home: SnippetHome): Promise<Answer> {
  const snippet = submitted(visit);
  return orFault(
    visit,
    async () => {
      const { createSnippet } = await visit.ask(create, { project: home.id, snippet });
      return { redirect: `${home.address}/${createSnippet.id}` };
    },
    (fault) => formPage(visit, home, { id: null, snippet, fault }),
  );
}

/** The form of a snippet that the user may change. */
export async function showEditSnippet(
  visit: Visit,
  home: SnippetHome,
  id: number,
): Promise<Answer> {
  const { canUpdate, description, ...snippet } = await readSnippet(visit, home, id);
  if (!canUpdate) throw forbidden();
  return formPage(visit, home, { id, snippet: { ...snippet, description: description ?? '' } });
}

export function submitEditSnippet(visit: Visit, home: SnippetHome, id: number): Promise<Answer> {
  const snippet = submitted(visit);
  return orFault(
    visit,
    async () => {
      await visit.ask(change, { project: home.id, id, change: snippet });
      return { redirect: `${home.address}/${id}` };
    },
    (fault) => formPage(visit, home, { id, snippet, fault }),
  );
}

/** Deletes a snippet with its notes. */
export async function submitDeleteSnippet(
  visit: Visit,
  home: SnippetHome,
  id: number,
): Promise<Answer> {
  await visit.ask(remove, { project: home.id, id });
  return { redirect: home.address };
}

interface SnippetForm {
  /** Null for a new snippet. */
  readonly id: number | null;
  readonly snippet: SnippetFields;
  readonly fault?: Fault;
}

function formPage(visit: Visit, home: SnippetHome, { id, snippet, fault }: SnippetForm): Answer {
  const heading = id === null ? 'New snippet' : 'Edit snippet';
  const address = id === null ? home.address : `${home.address}/${id}/edit`;
  const cancel = id === null ? home.address : `${home.address}/${id}`;
  const submit = id === null ? 'Create snippet' : 'Save changes';
  const main = html`<h1>${heading}</h1>
${formOf(visit, { address, submit, cancel, className: 'wide-form' }, controlsOf(home, snippet, fault))}`;
  return home.page(heading, main, fault?.status);
}

function controlsOf({ project }: SnippetHome, snippet: SnippetFields, fault?: Fault) {
  const faults = fault?.fields ?? {};
  const shown = ['title', 'description', 'fileName', 'content', 'visibility'];
  const members = project === null ? 'Only you can see it.' : 'Only project members can see it.';
  return html`${alert(fault ? (fault.text ?? otherFaults(faults, shown)) : null)}
${field({
  name: 'title',
  label: 'Title',
  value: snippet.title,
  isRequired: true,
  fault: faultText(faults, 'title', 'Title'),
})}
${textArea({
  name: 'description',
  label: 'Description',
  value: snippet.description,
  rows: 3,
  hint: 'Markdown is supported.',
  fault: faultText(faults, 'description', 'Description'),
})}
${field({
  name: 'file_name',
  label: 'File name',
  value: snippet.fileName,
  isRequired: true,
  placeholder: 'example.rb',
  fault: faultText(faults, 'fileName', 'File name'),
})}
${textArea({
  name: 'content',
  label: 'Content',
  value: snippet.content,
  rows: 20,
  isCode: true,
  isRequired: true,
  fault: faultText(faults, 'content', 'Content'),
})}
${choiceGroup({
  name: 'visibility',
  label: 'Visibility',
  chosen: [snippet.visibility],
  options: [
    { value: 'private', label: 'Private', hint: members },
    { value: 'internal', label: 'Internal', hint: 'Every signed-in user can see it.' },
    { value: 'public', label: 'Public', hint: 'Everyone who can see its place can see it.' },
  ],
  fault: faultText(faults, 'visibility', 'Visibility'),
})}`;
}
