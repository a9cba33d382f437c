import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { type FormOutcome, faultIn } from './form-outcome.ts';

/** Rules on a page. */
export const rulesPerPage = 50;

/** What rules protect, and what is said about it. */
interface Kind {
  readonly singular: 'branch' | 'tag';
  readonly plural: 'branches' | 'tags';
  /** What the levels of a rule mean. */
  readonly about: string;
  readonly example: string;
}

interface Rule {
  readonly name: string;
  /** The levels, in words. */
  readonly levels: string;
  /** The form that changes them. */
  readonly change?: Html;
}

interface Rules {
  readonly total: number;
  readonly rules: readonly Rule[];
  /** The fields for the levels of a new rule; `input` is the refused form, or empty. */
  readonly levelFields: (input: Visit['form']) => Html;
}

/** The rules that protect branches or tags of a project, with the form for another one. */
export function protectedRules(
  visit: Visit,
  project: Project,
  { singular, plural, about, example }: Kind,
  { total, rules, levelFields }: Rules,
  outcome: FormOutcome,
): Html {
  const settings = addressIn(visit, project, 'settings', 'repository');
  const place = `protected_${plural}`;
  const address = `${settings}/${place}`;
  const fault = faultIn(outcome, place);
  const input = fault ? visit.form : {};
  const label = `${singular.slice(0, 1).toUpperCase()}${singular.slice(1)}`;
  return html`<section aria-labelledby="protected-${plural}">
<h2 id="protected-${plural}">Protected ${plural}</h2>
<p class="quiet">${about}</p>
${formAlert(faultIn(outcome, `${place}/update`))}
${entries(
  rules.map((rule) => row(visit, address, rule)),
  `No ${plural} are protected.`,
)}
${pager({ address: settings, page: pageOf(visit, plural), total, size: rulesPerPage, parameter: plural, label: `Pages of protected ${plural}` })}
<h3>Protect a ${singular}</h3>
${formAlert(fault, ['name'])}
${formOf(
  visit,
  { address, submit: 'Protect' },
  html`${field({
    name: 'name',
    id: `${singular}-name`,
    label,
    value: input.name ?? '',
    isRequired: true,
    placeholder: example,
    hint: 'A name, or a pattern in which * stands for any text.',
    fault: faultText(fault?.fields ?? {}, 'name', label),
  })}
${levelFields(input)}`,
)}
</section>`;
}

/** The field that names the rule of a form. */
export const ruleName = (name: string): Html =>
  html`<input type="hidden" name="name" value="${name}">`;

const row = (visit: Visit, address: string, { name, levels, change }: Rule): Html =>
  html`<div class="row"><code class="name">${name}</code>
<span class="quiet">${levels}</span>
${actionForm(visit, {
  address: `${address}/remove`,
  label: 'Unprotect',
  about: name,
  look: 'small danger',
  fields: ruleName(name),
})}</div>
${change && html`<details><summary aria-label="Change ${name}">Change</summary>${change}</details>`}`;
