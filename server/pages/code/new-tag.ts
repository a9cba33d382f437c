import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { field, formOf, markdownField, otherFaults, textArea } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { requireWriteAccess } from './write-access.ts';

interface EnteredTag {
  readonly name: string;
  readonly ref: string;
  readonly message: string;
  /** Markdown. */
  readonly release: string;
}

/** The fields of the form; a query may fill them in. */
export const enteredTag = (given: Readonly<Record<string, string>>): EnteredTag => ({
  name: given.tag_name ?? '',
  ref: given.ref ?? '',
  message: given.message ?? '',
  release: given.release_description ?? '',
});

/** The form for a new tag. */
export async function newTagPage(
  visit: Visit,
  project: Project,
  { name, ref, message, release }: EnteredTag,
  fault: Fault | null,
): Promise<Answer> {
  await requireWriteAccess(visit, project);
  const address = addressIn(visit, project, 'tags');
  const main = html`<h1>New tag</h1>
${alert(fault?.text ?? otherFaults(fault?.fields ?? {}, []))}
${formOf(
  visit,
  { address, submit: 'Create tag', cancel: address },
  html`${field({ name: 'tag_name', label: 'Tag name', value: name, isRequired: true })}
${field({
  name: 'ref',
  label: 'Create from',
  value: ref || (project.defaultBranch ?? ''),
  isRequired: true,
  hint: 'A branch, a tag or the id of a commit.',
})}
${textArea({
  name: 'message',
  label: 'Message',
  value: message,
  rows: 3,
  hint: 'A tag with a message is annotated; without it the tag is lightweight.',
})}
${markdownField({
  name: 'release_description',
  label: 'Release notes',
  value: release,
  projectAddress: addressIn(visit, project),
})}`,
)}`;
  const shown = projectPage(visit, project, 'tags', 'New tag', main);
  return fault ? { ...shown, status: fault.status } : shown;
}
