import { graphql } from '../../../schema/client/graphql.ts';
import { invalid } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { foundBy } from '../kernel/fault.ts';
import type { Visit } from '../kernel/page.ts';

const Housekeep = graphql(`
  mutation HousekeepByForm($project: ID!) { housekeepProject(project: $project) { fullPath } }
`);

const Archive = graphql(`
  mutation ArchiveByForm($project: ID!) { archiveProject(project: $project) { fullPath } }
`);

const Unarchive = graphql(`
  mutation UnarchiveByForm($project: ID!) { unarchiveProject(project: $project) { fullPath } }
`);

const Rename = graphql(`
  mutation RenameByForm($project: ID!, $path: String!) {
    updateProject(project: $project, settings: { path: $path }) { fullPath }
  }
`);

const Transfer = graphql(`
  mutation TransferByForm($project: ID!, $namespace: ID!) {
    moveProject(project: $project, namespace: $namespace) { fullPath }
  }
`);

const Unlink = graphql(`
  mutation UnlinkByForm($project: ID!) { deleteForkRelation(project: $project) }
`);

const Delete = graphql(`
  mutation DeleteProjectByForm($project: ID!) { deleteProject(project: $project) }
`);

type Submit = (visit: Visit, project: Project) => Promise<string>;

const saved = (visit: Visit, project: { readonly fullPath: string }): string =>
  `${addressIn(visit, project, 'edit')}?saved=1`;

const id = (project: Project) => ({ project: String(project.id) });

/** The actions of the advanced settings, by their word; each returns the address to show next. */
export const advancedActions: Readonly<Record<string, Submit>> = {
  housekeeping: async (visit, project) =>
    saved(visit, (await visit.ask(Housekeep, id(project))).housekeepProject),
  archive: async (visit, project) =>
    saved(visit, (await visit.ask(Archive, id(project))).archiveProject),
  unarchive: async (visit, project) =>
    saved(visit, (await visit.ask(Unarchive, id(project))).unarchiveProject),
  rename: async (visit, project) => {
    const variables = { ...id(project), path: visit.form.path ?? '' };
    return saved(visit, (await visit.ask(Rename, variables)).updateProject);
  },
  transfer: async (visit, project) => {
    const variables = { ...id(project), namespace: visit.form.namespace_id ?? '' };
    const { moveProject } = await foundBy('namespace', () => visit.ask(Transfer, variables));
    return saved(visit, moveProject);
  },
  unlink: async (visit, project) => {
    await visit.ask(Unlink, id(project));
    return saved(visit, project);
  },
  delete: async (visit, project) => {
    if (visit.form.confirmation?.trim() !== project.fullPath) {
      throw invalid({ confirmation: ['is not the path of the project'] });
    }
    await visit.ask(Delete, id(project));
    return visit.url('/');
  },
};
