import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { personFields } from '../kernel/people.ts';
import { threadsPerPage } from './place.ts';
import type { DiscussionSource, ShownNote, Thread } from './threads.ts';

const commentFields = graphql(
  `fragment DiscussedComment on CommitComment {
    id body createdAt updatedAt canEdit author { ...PersonFields }
  }`,
  [personFields],
);

const threadFields = graphql(
  `fragment DiscussedCommitThread on CommitDiscussion {
    key isIndividual
    firstComment {
      ...DiscussedComment path line lineType position { newPath oldPath newLine oldLine }
    }
    replies { ...DiscussedComment }
  }`,
  [commentFields],
);

const list = graphql(
  `query CommitThreads($project: ID!, $sha: String!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      commit(ref: $sha) {
        discussions(page: $page, perPage: $perPage) { total nodes { ...DiscussedCommitThread } }
      }
    }
  }`,
  [threadFields],
);

const count = graphql(`query CountCommitThreads($project: ID!, $sha: String!) {
  repository(project: $project) { commit(ref: $sha) { discussions(perPage: 1) { total } } }
}`);

const start = graphql(`mutation StartCommitThread($project: ID!, $sha: String!, $body: String!) {
  createCommitDiscussion(project: $project, sha: $sha, body: $body) { firstComment { id } }
}`);

const answer = graphql(`mutation ReplyOnCommit(
  $project: ID!, $sha: String!, $discussion: String!, $body: String!
) {
  replyToCommitDiscussion(
    project: $project, sha: $sha, discussion: $discussion, body: $body
  ) { id }
}`);

const change = graphql(`mutation EditCommitComment(
  $project: ID!, $sha: String!, $id: Int!, $body: String!
) {
  updateCommitComment(project: $project, sha: $sha, id: $id, body: $body) { id }
}`);

const drop = graphql(`mutation DeleteShownCommitComment($project: ID!, $sha: String!, $id: Int!) {
  deleteCommitComment(project: $project, sha: $sha, id: $id)
}`);

interface CommitRef {
  readonly project: string;
  readonly sha: string;
}

/** The comments on a commit. All of them are threads; they have no award emoji. */
export function commentsOn(commit: CommitRef): DiscussionSource {
  const startThread: DiscussionSource['startThread'] = async (visit, body) =>
    (await visit.ask(start, { ...commit, body })).createCommitDiscussion.firstComment.id;
  const source: DiscussionSource = {
    async list(visit, page) {
      const variables = { ...commit, page, perPage: threadsPerPage };
      const { discussions } = (await visit.ask(list, variables)).repository.commit;
      return { total: discussions.total, threads: discussions.nodes.map(threadOf) };
    },
    count: async (visit) =>
      (await visit.ask(count, { ...commit })).repository.commit.discussions.total,
    async note(visit, id) {
      // the core has no comment by its id: the page that the form was opened from has it
      const { threads } = await source.list(visit, pageIn(visit.query.page ?? visit.form.page));
      const note = threads.flatMap(({ notes }) => notes).find((comment) => comment.id === id);
      if (!note) throw pathNotFound();
      return note;
    },
    comment: startThread,
    startThread,
    reply: async (visit, discussion, body) =>
      (await visit.ask(answer, { ...commit, discussion, body })).replyToCommitDiscussion.id,
    async update(visit, id, body) {
      await visit.ask(change, { ...commit, id, body });
    },
    async remove(visit, id) {
      await visit.ask(drop, { ...commit, id });
    },
    resolve: () => Promise.reject(pathNotFound()),
  };
  return source;
}

const pageIn = (text: string | undefined) => (/^[1-9]\d{0,6}$/.test(text ?? '') ? Number(text) : 1);

const noteOf = (comment: ResultOf<typeof commentFields>): ShownNote => ({
  ...comment,
  isSystem: false,
  canDelete: comment.canEdit,
  canVote: false,
  awardCounts: null,
});

function threadOf(discussion: ResultOf<typeof threadFields>): Thread {
  const { key, isIndividual, firstComment, replies } = discussion;
  const { path, line, lineType, position, ...comment } = firstComment;
  const isOld = lineType === 'old';
  const onLine = path !== null && {
    newPath: path,
    oldPath: path,
    newLine: isOld ? null : line,
    oldLine: isOld ? line : null,
  };
  return {
    key,
    hasReplies: !isIndividual,
    isResolvable: false,
    isResolved: false,
    canResolve: false,
    position: position ?? (onLine || null),
    notes: [comment, ...replies].map(noteOf),
  };
}
