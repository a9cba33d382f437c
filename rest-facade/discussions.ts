import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { positionInput, positionParam } from './entities/diff-position.ts';
import { discussion, discussionFields, discussionId } from './entities/discussion.ts';
import { discussionNote, newNoteParams, noteFields } from './entities/note.ts';
import {
  iidOf,
  type NoteableParent,
  noteableIssue,
  noteableMergeRequest,
  noteableSnippet,
  onNoteable,
  withinNoteable,
} from './entities/noteable.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { exactlyOne } from './kernel/rules.ts';
import { s, shapeOf } from './kernel/shape.ts';

const list = graphql(
  `query Discussions($noteable: NoteableInput!, $page: Int, $perPage: Int) {
    page: discussions(noteable: $noteable, page: $page, perPage: $perPage) {
      total nodes { ...DiscussionFields }
    }
  }`,
  [discussionFields],
);

const show = graphql(
  `query Discussion($noteable: NoteableInput!, $discussion_id: String!) {
    result: discussion(noteable: $noteable, discussion: $discussion_id) { ...DiscussionFields }
  }`,
  [discussionFields],
);

const showNote = graphql(
  `query NoteOfDiscussion($noteable: NoteableInput!, $discussion_id: String!, $note_id: Int!) {
    result: note(noteable: $noteable, discussion: $discussion_id, id: $note_id) { ...NoteFields }
  }`,
  [noteFields],
);

const create = graphql(
  `mutation CreateDiscussion(
    $noteable: NoteableInput!, $body: String!, $created_at: DateTime, $position: DiffPositionInput
  ) {
    result: createDiscussion(
      noteable: $noteable, body: $body, createdAt: $created_at, position: $position
    ) { ...DiscussionFields }
  }`,
  [discussionFields],
);

const resolve = graphql(
  `mutation ResolveDiscussion(
    $noteable: NoteableInput!, $discussion_id: String!, $resolved: Boolean!
  ) {
    result: resolveDiscussion(
      noteable: $noteable, discussion: $discussion_id, isResolved: $resolved
    ) { ...DiscussionFields }
  }`,
  [discussionFields],
);

const reply = graphql(
  `mutation ReplyToDiscussion(
    $noteable: NoteableInput!, $discussion_id: String!, $body: String!, $created_at: DateTime
  ) {
    result: replyToDiscussion(
      noteable: $noteable, discussion: $discussion_id, body: $body, createdAt: $created_at
    ) { ...NoteFields }
  }`,
  [noteFields],
);

const update = graphql(
  `mutation UpdateNoteOfDiscussion(
    $noteable: NoteableInput!, $discussion_id: String!, $note_id: Int!, $body: String
    $resolved: Boolean
  ) {
    result: updateNote(
      noteable: $noteable, discussion: $discussion_id, id: $note_id, body: $body
      isResolved: $resolved
    ) { ...NoteFields }
  }`,
  [noteFields],
);

const remove = graphql(
  `mutation DeleteNoteOfDiscussion(
    $noteable: NoteableInput!, $discussion_id: String!, $note_id: Int!
  ) {
    deleteNote(noteable: $noteable, discussion: $discussion_id, id: $note_id)
  }`,
);

const resolved = p.flag().describe('Whether it is resolved.');

/** The release of GitLab that the endpoints come from, which differs by noteable. */
const from = (parent: NoteableParent) =>
  `From GitLab ${parent === noteableMergeRequest ? '10.6' : '10.5'}.`;

/** The discussions of one kind of noteable (GitLab, "Discussions API"). */
function discussionRoutes(parent: NoteableParent) {
  const within = withinNoteable(parent);
  const single = { ...within, discussion_id: discussionId };
  const common = {
    access: 'signed in',
    variables: onNoteable(parent),
    description: from(parent),
  } as const;
  const all = { ...common, path: `${parent.path}/discussions` } as const;
  const one = { ...common, path: `${all.path}/:discussion_id` } as const;
  const note = { ...common, path: `${one.path}/notes/:note_id` } as const;
  const withIid = { response: shapeOf(discussion) };
  const noteWithIid = { response: shapeOf(discussionNote) };
  return [
    route({
      ...all,
      ...withIid,
      method: 'get',
      params: z.object(within),
      document: list,
      reshape: (record, _site, params) => discussion(record, iidOf(parent, params)),
    }),
    route({
      ...one,
      ...withIid,
      method: 'get',
      params: z.object(single),
      document: show,
      reshape: (record, _site, params) => discussion(record, iidOf(parent, params)),
    }),
    createRoute(parent),
    route({
      ...one,
      method: 'get',
      path: `${one.path}/notes`,
      params: z.object(single),
      document: show,
      response: s.list(shapeOf(discussionNote)),
      reshape: (record, _site, params) => discussion(record, iidOf(parent, params)).notes,
    }),
    route({
      ...note,
      ...noteWithIid,
      method: 'get',
      params: z.object({ ...single, note_id: p.id() }),
      document: showNote,
      reshape: (record, _site, params) => discussionNote(record, iidOf(parent, params)),
    }),
    route({
      ...one,
      ...noteWithIid,
      method: 'post',
      path: `${one.path}/notes`,
      params: z.object({ ...single, ...newNoteParams }),
      document: reply,
      reshape: (record, _site, params) => discussionNote(record, iidOf(parent, params)),
    }),
    updateRoute(parent),
    route({
      ...note,
      method: 'delete',
      params: z.object({ ...single, note_id: p.id() }),
      document: remove,
    }),
  ];
}

/** Only discussions of merge requests have positions. */
function createRoute(parent: NoteableParent) {
  const common = {
    access: 'signed in',
    method: 'post',
    path: `${parent.path}/discussions`,
    description: from(parent),
    document: create,
    response: shapeOf(discussion),
  } as const;
  const within = withinNoteable(parent);
  if (parent !== noteableMergeRequest) {
    return route({
      ...common,
      params: z.object({ ...within, ...newNoteParams }),
      variables: onNoteable(parent),
      reshape: (record, _site, params) => discussion(record, iidOf(parent, params)),
    });
  }
  return route({
    ...common,
    params: z.object({
      ...within,
      ...newNoteParams,
      position: positionParam.describe('The place in the diff that the discussion is about.'),
    }),
    variables: ({ position, ...params }) => ({
      ...onNoteable(parent)(params),
      position: positionInput(position),
    }),
    reshape: (record, _site, params) => discussion(record, iidOf(parent, params)),
  });
}

/** Only notes of merge requests are resolved. */
function updateRoute(parent: NoteableParent) {
  const common = {
    access: 'signed in',
    method: 'put',
    path: `${parent.path}/discussions/:discussion_id/notes/:note_id`,
    description: from(parent),
    document: update,
    variables: onNoteable(parent),
    response: shapeOf(discussionNote),
  } as const;
  const single = { ...withinNoteable(parent), discussion_id: discussionId, note_id: p.id() };
  if (parent !== noteableMergeRequest) {
    return route({
      ...common,
      params: z.object({ ...single, body: p.text() }),
      reshape: (record, _site, params) => discussionNote(record, iidOf(parent, params)),
    });
  }
  return route({
    ...common,
    params: exactlyOne(
      z.object({ ...single, body: p.text().optional(), resolved: resolved.optional() }),
      'body',
      'resolved',
    ),
    reshape: (record, _site, params) => discussionNote(record, iidOf(parent, params)),
  });
}

const resolveRoute = route({
  access: 'signed in',
  method: 'put',
  path: `${noteableMergeRequest.path}/discussions/:discussion_id`,
  description: from(noteableMergeRequest),
  params: z.object({
    ...withinNoteable(noteableMergeRequest),
    discussion_id: discussionId,
    resolved,
  }),
  document: resolve,
  variables: onNoteable(noteableMergeRequest),
  response: shapeOf(discussion),
  reshape: (record, _site, params) => discussion(record, iidOf(noteableMergeRequest, params)),
});

export const discussions = [
  ...discussionRoutes(noteableIssue),
  ...discussionRoutes(noteableSnippet),
  ...discussionRoutes(noteableMergeRequest),
  resolveRoute,
];
