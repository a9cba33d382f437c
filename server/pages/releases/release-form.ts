import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, markdownField } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

/** The fields that the forms of new and existing releases have. */
export interface ReleaseFields {
  readonly name: string;
  readonly description: string;
}

export const submittedRelease = ({ form }: Visit): ReleaseFields => ({
  name: form.name?.trim() ?? '',
  description: form.description ?? '',
});

/** The errors that the controls of a release show themselves. */
export const shownFaults = ['name', 'description'];

export const releaseControls = (
  visit: Visit,
  project: Project,
  { name, description }: ReleaseFields,
  fault: Fault | null,
) => html`${field({
  name: 'name',
  label: 'Title',
  value: name,
  hint: 'Default: the name of the tag.',
  fault: faultText(fault?.fields ?? {}, 'name', 'Title'),
})}
${markdownField({
  name: 'description',
  label: 'Release notes',
  value: description,
  rows: 12,
  projectAddress: addressIn(visit, project),
  fault: faultText(fault?.fields ?? {}, 'description', 'Release notes'),
})}`;
