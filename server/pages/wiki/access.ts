import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

const access = graphql(`
  query WikiAccess($project: ID!) {
    project(id: $project) { access { canWriteWiki canDeleteWikiPages } }
  }
`);

/** What the user may do in the wiki of a project. */
export async function wikiAccess(visit: Visit, project: Project) {
  return (await visit.ask(access, { project: String(project.id) })).project.access;
}

/** Throws unless the user may write pages of the wiki. */
export async function requireWriter(visit: Visit, project: Project): Promise<void> {
  if (!(await wikiAccess(visit, project)).canWriteWiki) throw forbidden();
}
