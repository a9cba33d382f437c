import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { ProjectPage } from '../frame/sections.ts';

const remove = graphql(`
  mutation DeleteShownRelease($project: ID!, $tagName: String!) {
    deleteRelease(project: $project, tagName: $tagName) { tagName }
  }
`);

/** Deletes a release; its tag stays. */
export const submitDelete: ProjectPage = async (visit, project, tagName) => {
  await visit.ask(remove, { project: String(project.id), tagName });
  return { redirect: addressIn(visit, project, 'releases') };
};
