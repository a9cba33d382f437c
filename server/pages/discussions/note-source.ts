import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import type { Visit } from '../kernel/page.ts';
import { type Noteable, threadsPerPage } from './place.ts';
import { type DiscussionSource, noteFields, type Thread } from './threads.ts';

const threadFields = graphql(
  `fragment DiscussedThread on Discussion {
    key isIndividual isResolvable isResolved canResolve
    firstNote { ...DiscussedNote thread { position { newPath oldPath newLine oldLine } } }
    replies { ...DiscussedNote }
  }`,
  [noteFields],
);

const list = graphql(
  `query DiscussionThreads($noteable: NoteableInput!, $page: Int!, $perPage: Int!) {
    discussions(noteable: $noteable, page: $page, perPage: $perPage) {
      total nodes { ...DiscussedThread }
    }
  }`,
  [threadFields],
);

const count = graphql(`query CountThreads($noteable: NoteableInput!) {
  discussions(noteable: $noteable, perPage: 1) { total }
}`);

const noteDocument = graphql(
  `query DiscussionNote($noteable: NoteableInput!, $id: Int!) {
    note(noteable: $noteable, id: $id) { ...DiscussedNote }
  }`,
  [noteFields],
);

const create = graphql(`mutation Comment($noteable: NoteableInput!, $body: String!) {
  createNote(noteable: $noteable, body: $body) { __typename ... on Note { id } }
}`);

const start = graphql(`mutation StartThread($noteable: NoteableInput!, $body: String!) {
  createDiscussion(noteable: $noteable, body: $body) { firstNote { id } }
}`);

const answer = graphql(`mutation Reply(
  $noteable: NoteableInput!, $discussion: String!, $body: String!
) {
  replyToDiscussion(noteable: $noteable, discussion: $discussion, body: $body) { id }
}`);

const change = graphql(`mutation EditComment($noteable: NoteableInput!, $id: Int!, $body: String!) {
  updateNote(noteable: $noteable, id: $id, body: $body) { id }
}`);

const drop = graphql(`mutation DeleteComment($noteable: NoteableInput!, $id: Int!) {
  deleteNote(noteable: $noteable, id: $id)
}`);

const settle = graphql(`mutation ResolveThread(
  $noteable: NoteableInput!, $discussion: String!, $isResolved: Boolean!
) {
  resolveDiscussion(noteable: $noteable, discussion: $discussion, isResolved: $isResolved) { key }
}`);

/** The notes of an issue, merge request or snippet. */
export const notesOn = (noteable: Noteable): DiscussionSource => ({
  async list(visit, page) {
    const variables = { noteable, page, perPage: threadsPerPage };
    const { total, nodes } = (await visit.ask(list, variables)).discussions;
    return { total, threads: nodes.map(threadOf) };
  },
  count: async (visit) => (await visit.ask(count, { noteable })).discussions.total,
  note: async (visit, id) => (await visit.ask(noteDocument, { noteable, id })).note,
  async comment(visit, body) {
    const { createNote } = await visit.ask(create, { noteable, body });
    return createNote.__typename === 'Note' ? createNote.id : null;
  },
  startThread: async (visit, body) =>
    (await visit.ask(start, { noteable, body })).createDiscussion.firstNote.id,
  reply: async (visit, discussion, body) =>
    (await visit.ask(answer, { noteable, discussion, body })).replyToDiscussion.id,
  async update(visit, id, body) {
    await visit.ask(change, { noteable, id, body });
  },
  async remove(visit, id) {
    await visit.ask(drop, { noteable, id });
  },
  async resolve(visit: Visit, discussion, isResolved) {
    await visit.ask(settle, { noteable, discussion, isResolved });
  },
});

function threadOf(discussion: ResultOf<typeof threadFields>): Thread {
  const { isIndividual, firstNote, replies, ...traits } = discussion;
  const { thread, ...note } = firstNote;
  return {
    ...traits,
    hasReplies: !isIndividual,
    position: thread?.position ?? null,
    notes: [note, ...replies],
  };
}
