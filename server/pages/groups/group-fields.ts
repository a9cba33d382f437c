import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { visibilityChoice } from '../projects/visibility.ts';

interface Texts {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly visibility: string;
}

/** The fields with errors of their own. */
export const groupFieldNames = ['name', 'path', 'description', 'visibility', 'avatar'];

/** The fields that a new group and its settings have in common. */
export function groupTextFields({ form }: Visit, group: Texts, fault: Fault | undefined): Html {
  const faults = fault?.fields ?? {};
  return html`${field({
    name: 'name',
    label: 'Name',
    value: form.name ?? group.name,
    isRequired: true,
    autocomplete: 'off',
    fault: faultText(faults, 'name', 'Name'),
  })}
${field({
  name: 'path',
  label: 'Path',
  value: form.path ?? group.path,
  isRequired: true,
  autocomplete: 'off',
  hint: 'The last part of the address of the group.',
  fault: faultText(faults, 'path', 'Path'),
})}
${textArea({
  name: 'description',
  label: 'Description',
  rows: 3,
  value: form.description ?? group.description,
  hint: 'Markdown is supported.',
  fault: faultText(faults, 'description', 'Description'),
})}
${visibilityChoice(
  form.visibility ?? group.visibility,
  faultText(faults, 'visibility', 'Visibility'),
)}`;
}
