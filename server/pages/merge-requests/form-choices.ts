import { graphql } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

/** How many labels, milestones and members a form offers. */
const mostChoices = 100;

const choicesDocument = graphql(`
  query MergeRequestFormChoices($source: GroupOrProject!, $perPage: Int!) {
    labels(source: $source, perPage: $perPage) { nodes { name } }
    milestones(source: $source, filter: { state: active }, perPage: $perPage) {
      nodes { id title }
    }
    allMembers(source: $source, perPage: $perPage) { nodes { user { id name username } } }
  }
`);

/** A value that a form offers: its id and its name. */
export type Choice = readonly [string, string];

export interface FormChoices {
  readonly labels: readonly string[];
  readonly milestones: readonly Choice[];
  readonly assignees: readonly Choice[];
}

/** The labels, open milestones and members of a project. */
export async function formChoices(
  visit: Visit,
  project: Pick<Project, 'id'>,
): Promise<FormChoices> {
  const source = { project: String(project.id) };
  const found = await visit.ask(choicesDocument, { source, perPage: mostChoices });
  const assignees = found.allMembers.nodes.map(
    ({ user }): Choice => [String(user.id), `${user.name} (${user.username})`],
  );
  return {
    labels: found.labels.nodes.map(({ name }) => name),
    milestones: found.milestones.nodes.map(({ id, title }) => [String(id), title]),
    // a member of several groups is listed once
    assignees: [...new Map(assignees)],
  };
}
