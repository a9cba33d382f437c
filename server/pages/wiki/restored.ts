import { graphql } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

const versionDocument = graphql(`
  query RestoredWikiPage($project: ID!, $slug: String!, $sha: String!) {
    wikiPageVersion(project: $project, slug: $slug, sha: $sha) { page { format content } }
  }
`);

/** The text of the version that `?version=` names, with which a form begins; null without one. */
export async function restoredPage(visit: Visit, project: Project, slug: string) {
  const sha = visit.query.version;
  if (!sha) return null;
  const variables = { project: String(project.id), slug, sha };
  return (await visit.ask(versionDocument, variables)).wikiPageVersion.page;
}
