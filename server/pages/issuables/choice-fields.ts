import type { FieldErrors } from '../../../schema/client/execute.ts';
import { faultText } from '../kernel/form-faults.ts';
import { choiceGroup, field, type Option, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { colourDot } from '../labels/label-mark.ts';
import type { Choice, Choices, Chosen, CurrentChoices, Offer } from './choices.ts';

/** The choices of a form, and what it has: stored or typed. */
export interface ChoiceForm {
  readonly choices: Choices;
  readonly chosen: Chosen;
  readonly current: CurrentChoices;
  readonly faults: FieldErrors;
}

/** Fields for choices that are entered by name, since there are too many to offer. */
export const namedFields = ['other_labels', 'other_milestone', 'other_assignee'] as const;

/** The offered choices after those that are not offered any more. */
const withCurrent = ({ choices }: Offer, current: readonly Choice[]): readonly Choice[] => [
  ...current.filter(({ value }) => !choices.some((choice) => choice.value === value)),
  ...choices,
];

const boxes = (name: string, label: string, all: readonly Choice[], chosen: readonly string[]) =>
  choiceGroup({
    name,
    label,
    type: 'checkbox',
    chosen,
    options: all.map(({ value, text, color }) => ({
      value,
      label: html`${color !== undefined && colourDot(color)} ${text}`,
    })),
  });

/** The checkboxes of the labels, and a field for others. */
export function labelFields({ choices: { labels }, chosen, faults }: ChoiceForm): Html {
  const stored = chosen.labels.map((value) => ({ value, text: value }));
  const all = withCurrent(labels, stored);
  const hasSome = all.length > 0;
  return html`${hasSome && boxes('labels[]', 'Labels', all, chosen.labels)}${
    (labels.hasMore || !hasSome) &&
    field({
      name: 'other_labels',
      label: hasSome ? 'Other labels' : 'Labels',
      value: chosen.others.labels,
      hint: 'Names, separated by commas. New ones are created.',
      fault: faultText(faults, 'other_labels', 'Other labels'),
    })
  }`;
}

/** A checkbox for each user. */
export const assigneeFields = (visit: Visit, form: ChoiceForm): Html =>
  html`${boxes(
    'assignee_ids[]',
    'Assignees',
    withCurrent(form.choices.users, form.current.users),
    form.chosen.assignees,
  )}${otherAssignee(visit, form)}`;

const optional = (all: readonly Choice[]): readonly Option[] => [
  ['', 'None'],
  ...all.map(({ value, text }) => [value, text] as const),
];

/** A list of the users, one of which is chosen. */
export const assigneeSelect = (visit: Visit, form: ChoiceForm): Html =>
  html`${select({
    name: 'assignee_id',
    label: 'Assignee',
    value: form.chosen.assignees[0] ?? '',
    options: optional(withCurrent(form.choices.users, form.current.users)),
  })}${otherAssignee(visit, form)}`;

const otherAssignee = (visit: Visit, { choices, chosen, faults }: ChoiceForm): Html | false =>
  choices.users.hasMore &&
  html`<div data-suggest="${visit.url('/autocomplete/users')}">${field({
    name: 'other_assignee',
    label: 'Other assignee',
    value: chosen.others.user,
    autocomplete: 'off',
    list: 'other-assignees',
    hint: 'A username.',
    fault: faultText(faults, 'other_assignee', 'The user'),
  })}<datalist id="other-assignees"></datalist></div>`;

/** A list of the milestones, one of which is chosen. */
export const milestoneFields = ({ choices, chosen, current, faults }: ChoiceForm): Html =>
  html`${select({
    name: 'milestone_id',
    label: 'Milestone',
    value: chosen.milestone,
    options: optional(withCurrent(choices.milestones, current.milestones)),
  })}${
    choices.milestones.hasMore &&
    field({
      name: 'other_milestone',
      label: 'Other milestone',
      value: chosen.others.milestone,
      hint: 'A title.',
      fault: faultText(faults, 'other_milestone', 'The milestone'),
    })
  }`;
