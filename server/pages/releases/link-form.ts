import type { Fault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, type Option, otherFaults, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, alert, table } from '../kernel/parts.ts';

/** The input of a new link, with its errors. */
export interface EnteredLink {
  readonly name: string;
  readonly url: string;
  readonly type: string;
  readonly fault?: Fault;
}

export const emptyLink: EnteredLink = { name: '', url: '', type: 'other' };

export const linkTypes: readonly Option[] = [
  ['other', 'Other'],
  ['package', 'Package'],
  ['image', 'Container image'],
  ['runbook', 'Runbook'],
];

interface ListedLink {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly type: string;
}

/** The links of a release, each with a button to delete it, and the form of a new one. */
export const linksOf = (
  visit: Visit,
  address: string,
  links: readonly ListedLink[],
  { name, url, type, fault }: EnteredLink,
): Html => html`<h2>Links</h2>
${table(
  'Links',
  'This release has no links yet.',
  ['Name', 'Address', 'Type', ''],
  links.map((link) => [
    link.name,
    html`<span class="long">${link.url}</span>`,
    linkTypes.find(([value]) => value === link.type)?.[1],
    actionForm(visit, {
      address: `${address}/links/delete`,
      label: 'Delete',
      about: link.name,
      look: 'small danger',
      fields: html`<input type="hidden" name="id" value="${link.id}">`,
    }),
  ]),
)}
<h3>Add a link</h3>
${formOf(
  visit,
  { address: `${address}/links`, submit: 'Add link' },
  html`${alert(fault ? (fault.text ?? otherFaults(fault.fields, ['name', 'url'])) : null)}
${field({
  name: 'name',
  id: 'link-name',
  label: 'Name',
  value: name,
  isRequired: true,
  fault: faultText(fault?.fields ?? {}, 'name', 'Name'),
})}
${field({
  name: 'url',
  id: 'link-url',
  label: 'Address',
  type: 'url',
  value: url,
  isRequired: true,
  fault: faultText(fault?.fields ?? {}, 'url', 'Address'),
})}
${select({ name: 'type', id: 'link-type', label: 'Type', value: type, options: linkTypes })}`,
)}`;
