import { refusal } from '../../../schema/client/execute.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import { largestShown, textOf } from '../code/content.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

const folder = '.gitlab/merge_request_templates';
const ending = '.md';
const mostTemplates = 100;

const templatesDocument = graphql(`
  query MergeRequestTemplates($project: ID!, $path: String!, $perPage: Int!) {
    repository(project: $project) {
      tree(path: $path, perPage: $perPage) { nodes { id name type blob { size } } }
    }
  }
`);

interface Template {
  readonly name: string;
  readonly sha: string;
  readonly size: number;
}

/** The templates of descriptions in the default branch, by name. */
export async function descriptionTemplates(
  visit: Visit,
  project: Project,
): Promise<readonly Template[]> {
  if (project.defaultBranch === null) return [];
  try {
    const variables = { project: String(project.id), path: folder, perPage: mostTemplates };
    const { tree } = (await visit.ask(templatesDocument, variables)).repository;
    return (tree?.nodes ?? []).flatMap(({ id, name, blob }) =>
      name.endsWith(ending) && blob && blob.size <= largestShown
        ? [{ name: name.slice(0, -ending.length), sha: id, size: blob.size }]
        : [],
    );
  } catch (error) {
    // there is no such folder
    if (refusal(error)?.code === 'NOT_FOUND') return [];
    throw error;
  }
}

/** The text of a template; by default of the one named `Default`. Null without one. */
export async function templateText(
  visit: Visit,
  project: Project,
  templates: readonly Template[],
  wanted: string | undefined,
): Promise<string | null> {
  const isWanted = ({ name }: Template) =>
    wanted === undefined ? name.toLowerCase() === 'default' : name === wanted;
  const template = templates.find(isWanted);
  return template ? textOf(visit, project, template) : null;
}
