import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';
import { namespaceOptions } from './namespaces.ts';

const Edited = graphql(`
  query EditedProject($project: ID!) {
    project(id: $project) {
      id name path fullPath description tagList visibility defaultBranch avatarUrl isArchived
      issuesEnabled mergeRequestsEnabled wikiEnabled snippetsEnabled jobsEnabled
      sharedRunnersEnabled publicJobs lfsEnabled requestAccessEnabled
      onlyAllowMergeIfPipelineSucceeds onlyAllowMergeIfAllDiscussionsAreResolved
      resolveOutdatedDiffDiscussions
      forkedFrom { fullPath fullName }
      namespace { id }
      access { canAdminister }
    }
    repository(project: $project) { branches(perPage: 100) { nodes { name } } }
  }
`);

export type EditedProject = ResultOf<typeof Edited>['project'] & {
  /** The first branches, for the choice of the default one. */
  readonly branches: readonly string[];
  /** Where it may be moved. */
  readonly namespaces: Awaited<ReturnType<typeof namespaceOptions>>;
};

/** The settings of a project that the page of its general settings shows. */
export async function editedProject(visit: Visit, { id }: Project): Promise<EditedProject> {
  const { project, repository } = await visit.ask(Edited, { project: String(id) });
  const namespaces = await namespaceOptions(visit, String(project.namespace.id));
  return { ...project, namespaces, branches: repository.branches.nodes.map(({ name }) => name) };
}
