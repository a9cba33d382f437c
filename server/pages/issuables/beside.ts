import type { ResultOf } from '../../../schema/client/graphql.ts';
import type { Fault } from '../kernel/fault.ts';
import { formOf } from '../kernel/forms.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { labelledIn, labelMark, type labelMarkFields } from '../labels/label-mark.ts';
import { type ChoiceForm, labelFields, milestoneFields } from './choice-fields.ts';
import { type Choices, type Planned, storedChoices, submittedChoices } from './choices.ts';

/** A form that was refused, by the last word of its address, and its errors. */
export interface FailedPart {
  readonly part: string;
  readonly fault: Fault;
}

interface Edited extends Planned {
  /** The page of the issue or merge request; a form goes to a word below it. */
  readonly address: string;
  /** Null: the user may not change what it has. */
  readonly choices: Choices | null;
  readonly failed: FailedPart | null;
  readonly labels: readonly ResultOf<typeof labelMarkFields>[];
}

type Edit = (
  part: string,
  controls: (form: ChoiceForm, typed: Visit['form']) => Html,
) => Html | null;

/** Forms that change one thing each; a refused one is open and has what was typed. */
export function editorsOf(visit: Visit, edited: Edited): Edit {
  const { address, choices, failed } = edited;
  const stored = storedChoices(edited);
  return (name, controls) => {
    if (!choices) return null;
    const fault = failed?.part === name ? failed.fault : null;
    const chosen = fault ? submittedChoices(visit) : stored.chosen;
    const form = { choices, chosen, current: stored.current, faults: fault?.fields ?? {} };
    return html`<details class="editor"${fault && html` open`}><summary>Edit</summary>${formOf(
      visit,
      { address: `${address}/${name}`, submit: 'Save' },
      controls(form, fault ? visit.form : {}),
    )}</details>`;
  };
}

export const none = html`<span class="quiet">None</span>`;

/** A part of the column, with the form that changes it. */
export const part = (title: string, content: Shown, editing: Html | null = null): Html =>
  html`<section><h2>${title}</h2>${content}${editing}</section>`;

/** Labels and milestone, which link to the `list` of what has them, with their forms. */
export const labelsAndMilestone = (
  { labels, milestone }: Pick<Edited, 'labels' | 'milestone'>,
  list: string,
  edit: Edit,
): Html => html`${part(
  'Labels',
  labels.length === 0
    ? none
    : labels.map((label) => html`${labelMark(label, labelledIn(list, label.name))} `),
  edit('labels', labelFields),
)}
${part(
  'Milestone',
  milestone
    ? html`<a href="${`${list}?${new URLSearchParams({ milestone_title: milestone.title })}`}">${icon('milestone')} ${milestone.title}</a>`
    : none,
  edit('milestone', milestoneFields),
)}`;
