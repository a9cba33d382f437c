import { graphql } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import { numberOf } from '../kernel/addresses.ts';
import { choiceGroup, type Option, select } from '../kernel/forms.ts';
import type { Html } from '../kernel/html.ts';
import { html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { colourDot, labelMarkFields } from '../labels/label-mark.ts';

/** Labels, milestones and users that a form offers. */
const mostOffered = 100;

const document = graphql(
  `query IssueChoices($project: ID!, $perPage: Int!) {
    labels(source: { project: $project }, perPage: $perPage) { nodes { ...LabelMarkFields } }
    milestones(source: { project: $project }, filter: { state: active }, perPage: $perPage) {
      nodes { id title }
    }
    project(id: $project) { users(perPage: $perPage) { nodes { id username name } } }
  }`,
  [labelMarkFields],
);

interface Choice {
  readonly value: string;
  readonly text: string;
  readonly color?: string;
}

/** What users choose from for an issue. */
export interface Choices {
  readonly labels: readonly Choice[];
  readonly milestones: readonly Choice[];
  readonly users: readonly Choice[];
}

export async function choicesIn(visit: Visit, { id }: Project): Promise<Choices> {
  const variables = { project: String(id), perPage: mostOffered };
  const { labels, milestones, project } = await visit.ask(document, variables);
  return {
    labels: labels.nodes.map(({ name, color }) => ({ value: name, text: name, color })),
    milestones: milestones.nodes.map(({ id: value, title }) => ({
      value: String(value),
      text: title,
    })),
    users: project.users.nodes.map(({ id: value, name, username }) => ({
      value: String(value),
      text: `${name} (@${username})`,
    })),
  };
}

/** What an issue has, by the values of the choices; also values that are not offered any more. */
export interface Chosen {
  readonly labels: readonly string[];
  readonly milestone: string;
  readonly assignees: readonly string[];
}

/** The chosen values of a submitted form. */
export const chosenIn = (visit: Visit): Chosen => ({
  labels: visit.formList('labels'),
  milestone: visit.form.milestone_id ?? '',
  assignees: visit.formList('assignee_ids'),
});

/** The chosen values as the core takes them. */
export const idsOf = ({ milestone, assignees }: Chosen) => ({
  milestoneId: numberOf(milestone),
  assigneeIds: assignees.map(numberOf).filter((id) => id !== null),
});

const withChosen = (offered: readonly Choice[], chosen: readonly Choice[]): readonly Choice[] => [
  ...chosen.filter(({ value }) => !offered.some((choice) => choice.value === value)),
  ...offered,
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

/** The checkboxes of the labels; `former` are those that the issue has. */
export const labelBoxes = ({ labels }: Choices, chosen: readonly string[]): Html =>
  boxes(
    'labels[]',
    'Labels',
    withChosen(
      labels,
      chosen.map((value) => ({ value, text: value })),
    ),
    chosen,
  );

export const assigneeBoxes = (
  { users }: Choices,
  chosen: readonly string[],
  former: readonly Choice[],
): Html => boxes('assignee_ids[]', 'Assignees', withChosen(users, former), chosen);

export function milestoneSelect(
  { milestones }: Choices,
  value: string,
  former: readonly Choice[],
): Html {
  const offered = withChosen(milestones, former);
  const options: readonly Option[] = [
    ['', 'None'],
    ...offered.map((choice) => [choice.value, choice.text] as const),
  ];
  return select({ name: 'milestone_id', label: 'Milestone', value, options });
}
