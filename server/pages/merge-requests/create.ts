import { graphql } from '../../../schema/client/graphql.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { orFault } from '../kernel/fault.ts';
import type { Answer } from '../kernel/page.ts';
import { targetProject } from './branches-form.ts';
import { submittedInput } from './form.ts';
import { mergeRequestAddress } from './head.ts';
import { newPage } from './new.ts';

const create = graphql(`
  mutation CreateMergeRequestByForm($source: ID!, $mergeRequest: NewMergeRequest!) {
    createMergeRequest(sourceProject: $source, mergeRequest: $mergeRequest) { iid }
  }
`);

/** Creates a merge request from the form, and shows it. */
export const createFromForm: ProjectPage = (visit, project) => {
  const { source_branch: source = '', target_branch: target = '', target_project } = visit.form;
  const path = target_project ?? '';
  const branches = {
    source,
    target,
    project: path === project.forkedFrom?.fullPath ? path : '',
  };
  const work = async (): Promise<Answer> => {
    const destination = await targetProject(visit, project, branches);
    const mergeRequest = {
      ...(await submittedInput(visit, destination, destination.access.canPush)),
      sourceBranch: source,
      targetBranch: target,
      targetProject: String(destination.id),
    };
    const created = await visit.ask(create, { source: String(project.id), mergeRequest });
    const { iid } = created.createMergeRequest;
    return { redirect: mergeRequestAddress(visit, destination, iid) };
  };
  return orFault(visit, work, (fault) => newPage(visit, project, branches, fault));
};
