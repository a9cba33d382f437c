import { graphql } from '../../../schema/client/graphql.ts';
import { invalid } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import { numberOf } from '../kernel/addresses.ts';
import type { Visit } from '../kernel/page.ts';
import { labelMarkFields } from '../labels/label-mark.ts';

/** Labels, milestones and users that a form or filter offers; others are entered by their names. */
export const mostOffered = 100;

const offeredIn = graphql(
  `query IssuableChoices($project: ID!, $perPage: Int!) {
    labels(source: { project: $project }, perPage: $perPage) { total nodes { ...LabelMarkFields } }
    milestones(source: { project: $project }, filter: { state: active }, perPage: $perPage) {
      total nodes { id title }
    }
    project(id: $project) { users(perPage: $perPage) { total nodes { id username name } } }
  }`,
  [labelMarkFields],
);

const milestoneNamed = graphql(`query MilestoneNamed($project: ID!, $title: String!) {
  milestones(source: { project: $project }, filter: { title: $title }, perPage: 1) {
    nodes { id }
  }
}`);

const userNamed = graphql(`query UserNamed($project: ID!, $username: String!) {
  project(id: $project) { users(filter: { username: $username }, perPage: 1) { nodes { id } } }
}`);

/** A value that a form offers. */
export interface Choice {
  readonly value: string;
  readonly text: string;
  readonly color?: string;
}

export interface Offer {
  readonly choices: readonly Choice[];
  /** Whether there are others, which are entered by their names. */
  readonly hasMore: boolean;
}

/** What users choose from for an issue or merge request. */
export interface Choices {
  readonly labels: Offer;
  readonly milestones: Offer;
  readonly users: Offer;
}

const userChoice = (user: { id: number; name: string; username: string }): Choice => ({
  value: String(user.id),
  text: `${user.name} (@${user.username})`,
});

const milestoneChoice = ({ id, title }: { id: number; title: string }): Choice => ({
  value: String(id),
  text: title,
});

/** The labels, active milestones and users of a project. */
export async function choicesIn(visit: Visit, { id }: Pick<Project, 'id'>): Promise<Choices> {
  const variables = { project: String(id), perPage: mostOffered };
  const { labels, milestones, project } = await visit.ask(offeredIn, variables);
  const offer = (total: number, choices: readonly Choice[]) => ({
    choices,
    hasMore: total > choices.length,
  });
  const { users } = project;
  return {
    labels: offer(
      labels.total,
      labels.nodes.map(({ name, color }) => ({ value: name, text: name, color })),
    ),
    milestones: offer(milestones.total, milestones.nodes.map(milestoneChoice)),
    users: offer(users.total, users.nodes.map(userChoice)),
  };
}

/** What a form has, as it was typed. */
export interface Chosen {
  /** Names. */
  readonly labels: readonly string[];
  /** Its id; empty for none. */
  readonly milestone: string;
  /** Ids. */
  readonly assignees: readonly string[];
  /** What was entered by name: labels are separated by commas. */
  readonly others: { readonly labels: string; readonly milestone: string; readonly user: string };
}

/** The choices that an issue or merge request has: they stay possible if they are not offered. */
export interface CurrentChoices {
  readonly users: readonly Choice[];
  readonly milestones: readonly Choice[];
}

/** What an issue or merge request has. */
export interface Planned {
  readonly labels: readonly { readonly name: string }[];
  readonly assignees: readonly Parameters<typeof userChoice>[0][];
  readonly milestone: Parameters<typeof milestoneChoice>[0] | null;
}

/** What the form of an issue or merge request has at first. */
export const storedChoices = ({ labels, assignees, milestone }: Planned) => {
  const current: CurrentChoices = {
    users: assignees.map(userChoice),
    milestones: milestone ? [milestoneChoice(milestone)] : [],
  };
  const chosen: Chosen = {
    labels: labels.map(({ name }) => name),
    milestone: current.milestones[0]?.value ?? '',
    assignees: current.users.map(({ value }) => value),
    others: { labels: '', milestone: '', user: '' },
  };
  return { chosen, current };
};

export const noChoices = storedChoices({ labels: [], assignees: [], milestone: null });

/** What was sent with a form. */
export function submittedChoices({ form, formList }: Visit): Chosen {
  const { assignee_id: assignee = '' } = form;
  return {
    labels: formList('labels'),
    milestone: form.milestone_id ?? '',
    assignees: assignee === '' ? formList('assignee_ids') : [assignee],
    others: {
      labels: form.other_labels ?? '',
      milestone: form.other_milestone ?? '',
      user: form.other_assignee ?? '',
    },
  };
}

/**
 * The chosen values as the core takes them, for the project of an id. What was entered by name wins
 * over a milestone, and is added before the assignees. Throws errors of the fields whose names were
 * not found.
 */
export async function resolveChoices(visit: Visit, project: string, chosen: Chosen) {
  const { labels, milestone, user } = chosen.others;
  const [milestones, users] = await Promise.all([
    findByName(
      milestone,
      async (title) => (await visit.ask(milestoneNamed, { project, title })).milestones,
    ),
    findByName(
      user.trim().replace(/^@/, ''),
      async (username) => (await visit.ask(userNamed, { project, username })).project.users,
    ),
  ]);
  const missing = {
    ...(milestones === null && { other_milestone: ['was not found'] }),
    ...(users === null && { other_assignee: ['is not a member of the project'] }),
  };
  if (milestones === null || users === null) throw invalid(missing);
  const assignees = chosen.assignees.map(numberOf).filter((value) => value !== null);
  const names = labels.split(',').map((name) => name.trim());
  return {
    labels: [...new Set([...chosen.labels, ...names.filter((name) => name !== '')])],
    milestoneId: milestones[0] ?? numberOf(chosen.milestone),
    assigneeIds: [...new Set([...users, ...assignees])],
  };
}

/** The ids of the records with a name; none for an empty name, null if there is no such record. */
async function findByName(
  text: string,
  find: (name: string) => Promise<{ readonly nodes: readonly { readonly id: number }[] }>,
): Promise<readonly number[] | null> {
  const name = text.trim();
  if (name === '') return [];
  const [record] = (await find(name)).nodes;
  return record ? [record.id] : null;
}
