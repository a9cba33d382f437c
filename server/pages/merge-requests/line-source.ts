import { graphql } from '../../../schema/client/graphql.ts';
import type { DiffRefs, LineSource } from '../diffs/line-source.ts';
import { type DiscussionPlace, type Noteable, threadsPerPage } from '../discussions/place.ts';

const positions = graphql(`
  query DiscussionPositions($noteable: NoteableInput!, $page: Int!, $perPage: Int!) {
    discussions(noteable: $noteable, page: $page, perPage: $perPage) {
      nodes { key firstNote { thread { position { type baseSha headSha } } } }
    }
  }
`);

const create = graphql(`
  mutation CommentOnLine(
    $noteable: NoteableInput!, $body: String!, $position: DiffPositionInput!
  ) {
    createDiscussion(noteable: $noteable, body: $body, position: $position) { firstNote { id } }
  }
`);

/** Comments on the lines of a merge request. */
export const linesOf = (
  place: DiscussionPlace & { readonly subject: Noteable },
  refs: DiffRefs,
  canComment: boolean,
): LineSource => ({
  place,
  refs,
  canComment,
  async start(visit, body, position) {
    const variables = { noteable: place.subject, body, position };
    return (await visit.ask(create, variables)).createDiscussion.firstNote.id;
  },
  async commitsOn(visit, page) {
    const variables = { noteable: place.subject, page, perPage: threadsPerPage };
    const { nodes } = (await visit.ask(positions, variables)).discussions;
    return new Map(
      nodes.flatMap(({ key, firstNote }) => {
        const position = firstNote.thread?.position;
        return position?.type === 'text' ? [[key, position] as const] : [];
      }),
    );
  },
});
