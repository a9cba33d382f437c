import { graphql } from '../../../schema/client/graphql.ts';
import type { LineSource } from '../diffs/line-source.ts';
import type { DiscussionPlace } from '../discussions/place.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

const create = graphql(`
  mutation CommentOnCommitLine(
    $project: ID!, $sha: String!, $body: String!, $position: DiffPositionInput!
  ) {
    createCommitDiscussion(project: $project, sha: $sha, body: $body, position: $position) {
      firstComment { id }
    }
  }
`);

/** What positions name as the parent of a commit without one. */
const noCommit = '0'.repeat(40);

/** The discussion of a commit on its page. */
export const commitPlace = (visit: Visit, project: Project, sha: string): DiscussionPlace => ({
  subject: { commit: { project: String(project.id), sha } },
  project,
  address: addressIn(visit, project, 'commit', sha),
  section: 'commits',
  name: sha.slice(0, 8),
});

/** Comments on the lines of a commit. */
export function commitLines(
  visit: Visit,
  project: Project,
  { id, parentIds }: { readonly id: string; readonly parentIds: readonly string[] },
): LineSource {
  const parent = parentIds[0] ?? noCommit;
  return {
    place: commitPlace(visit, project, id),
    refs: { baseSha: parent, startSha: parent, headSha: id },
    canComment: visit.viewer !== null,
    async start(asking, body, position) {
      const variables = { project: String(project.id), sha: id, body, position };
      return (await asking.ask(create, variables)).createCommitDiscussion.firstComment.id;
    },
    commitsOn: async () => null,
  };
}
