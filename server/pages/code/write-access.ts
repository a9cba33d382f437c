import { graphql } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

const writable = graphql(`
  query WritableRepository($project: ID!) {
    repository(project: $project, access: write) { projectId }
  }
`);

/** Throws unless the user may push to the project, before a form for that is shown. */
export async function requireWriteAccess(visit: Visit, { id }: Pick<Project, 'id'>): Promise<void> {
  await visit.ask(writable, { project: String(id) });
}
