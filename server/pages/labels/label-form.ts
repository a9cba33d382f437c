import type { Owner } from '../frame/owner.ts';
import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { choiceGroup, field, formOf, otherFaults, textArea } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { colourDot } from './label-mark.ts';

/** The colours that the form offers. */
const palette = [
  ['#d9534f', 'Red'],
  ['#d10069', 'Crimson'],
  ['#f0ad4e', 'Orange'],
  ['#ffd600', 'Yellow'],
  ['#5cb85c', 'Green'],
  ['#0b7a3e', 'Dark green'],
  ['#1aaa9c', 'Teal'],
  ['#428bca', 'Blue'],
  ['#0033cc', 'Dark blue'],
  ['#8e44ad', 'Purple'],
  ['#7f8c8d', 'Grey'],
  ['#34495e', 'Slate'],
] as const;

export interface LabelDraft {
  readonly name: string;
  readonly description: string;
  readonly color: string;
}

/** What was sent with the form; a colour of the palette replaces the own one. */
export function labelDraftIn({ form }: Visit): LabelDraft {
  const { name = '', description = '', palette: chosen = '', color = '' } = form;
  return { name, description, color: chosen === '' ? color : chosen };
}

interface LabelForm {
  readonly heading: string;
  readonly submit: string;
  readonly address: string;
  readonly draft: LabelDraft;
  readonly fault?: Fault | undefined;
  readonly below?: Html | undefined;
}

/** The page with the form of a new or existing label. */
export function labelForm(visit: Visit, owner: Owner, form: LabelForm): ShownPage {
  const { heading, submit, address, draft, fault, below } = form;
  const faults = fault?.fields ?? {};
  const { name, description, color } = draft;
  const isOffered = palette.some(([value]) => value === color.toLowerCase());
  const own = html`Own colour`;
  const controls = html`${field({ name: 'name', label: 'Name', value: name, isRequired: true, fault: faultText(faults, 'name', 'Name') })}
${textArea({ name: 'description', label: 'Description', value: description, rows: 2, fault: faultText(faults, 'description', 'Description') })}
<div class="palette">${choiceGroup({
    name: 'palette',
    label: 'Colour',
    chosen: [isOffered ? color.toLowerCase() : ''],
    options: [
      ...palette.map(([value, text]) => ({ value, label: html`${colourDot(value)} ${text}` })),
      { value: '', label: own },
    ],
  })}</div>
${field({ name: 'color', label: 'Own colour', type: 'color', value: color, fault: faultText(faults, 'color', 'Colour') })}`;
  const main = html`<h1>${heading}</h1>
${fault && alert(fault.text ?? otherFaults(faults, ['name', 'description', 'color']))}
${formOf(visit, { address, submit, cancel: owner.address(visit, 'labels') }, controls)}
${below}`;
  const page = owner.page(visit, 'labels', heading, main);
  return fault ? { ...page, status: fault.status } : page;
}
