import { graphql } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

/** How many branches and tags a field suggests of each. */
const mostNames = 100;

const names = graphql(`
  query SuggestedRefs($project: ID!, $perPage: Int!) {
    repository(project: $project) {
      branches(perPage: $perPage) { nodes { name } }
      tags(perPage: $perPage) { nodes { name } }
    }
  }
`);

interface RefNames {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** The first branches and the newest tags, for suggestions. */
export async function refNames(visit: Visit, project: Pick<Project, 'id'>): Promise<RefNames> {
  const variables = { project: String(project.id), perPage: mostNames };
  const { branches, tags } = (await visit.ask(names, variables)).repository;
  const namesOf = (nodes: readonly { readonly name: string }[]) => nodes.map(({ name }) => name);
  return { branches: namesOf(branches.nodes), tags: namesOf(tags.nodes) };
}

/** A list that fields of `refField` suggest. */
export const suggestions = (id: string, values: readonly string[]): Html =>
  html`<datalist id="${id}">${values.map((name) => html`<option value="${name}"></option>`)}</datalist>`;

interface RefField {
  readonly name: string;
  /** Default: the name. */
  readonly id?: string;
  readonly label: string;
  readonly value: string;
  /** The id of the suggestions. */
  readonly list: string;
  readonly fault?: string | null;
}

/** A field for the name of a branch or tag, with suggestions. */
export const refField = ({ name, id = name, label, value, list, fault }: RefField): Html =>
  html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${value}" list="${list}" required autocomplete="off"${
    fault && html` aria-invalid="true" aria-describedby="${id}-fault"`
  }>${fault && html`<span class="fault" id="${id}-fault">${fault}</span>`}</p>`;
