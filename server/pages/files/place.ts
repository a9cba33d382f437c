import { refusal } from '../../../schema/client/execute.ts';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { forbidden, pathNotFound, unauthenticated } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

const placeDocument = graphql(`
  query EditedPlace($project: ID!, $address: String!) {
    repository(project: $project) {
      location(address: $address) { ref path commitId size entry { id name type } }
    }
  }
`);

const branchDocument = graphql(`
  query EditedBranch($project: ID!, $branch: String!) {
    repository(project: $project) { branch(name: $branch) { name canPush } }
  }
`);

type Location = ResultOf<typeof placeDocument>['repository']['location'];

/** Where a change starts: a branch, and a folder or file on it. */
export interface EditedPlace {
  readonly branch: string;
  /** Whether the user may commit to the branch itself, not only to a new one. */
  readonly canPush: boolean;
  readonly path: string;
  /** Null for a place that does not exist yet: a repository without commits. */
  readonly location: Location | null;
}

/**
 * The place at `<branch>/<path>`. Throws 404 if it is not on a branch, or missing, and an error unless
 * the user may push to the project.
 */
export async function placeOf(
  visit: Visit,
  project: Project,
  address: string,
): Promise<EditedPlace> {
  if (!visit.viewer) throw unauthenticated();
  if (!project.access.canPush) throw forbidden();
  const id = String(project.id);
  if (project.defaultBranch === null) {
    const isName = address !== '' && !address.includes('/');
    return { branch: isName ? address : 'master', canPush: true, path: '', location: null };
  }
  const { location } = (await visit.ask(placeDocument, { project: id, address })).repository;
  const branch = await branchOf(visit, id, location.ref);
  if (!branch) throw pathNotFound();
  return { branch: branch.name, canPush: branch.canPush, path: location.path, location };
}

/** The branch of a name; null for another ref. */
async function branchOf(visit: Visit, project: string, name: string) {
  try {
    return (await visit.ask(branchDocument, { project, branch: name })).repository.branch;
  } catch (error) {
    if (refusal(error)?.code !== 'NOT_FOUND') throw error;
    return null;
  }
}
