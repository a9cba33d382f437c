import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { awardEmoji, awardEmojiFields } from './entities/award-emoji.ts';
import { note, noteFields } from './entities/note.ts';
import {
  iidOf,
  type NoteableParent,
  noteableIssue,
  noteableMergeRequest,
  noteableOf,
  noteableSnippet,
  withinNoteable,
} from './entities/noteable.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = graphql(
  `query Notes(
    $noteable: NoteableInput!, $orderBy: NoteOrder, $sort: SortDirection, $page: Int, $perPage: Int
  ) {
    page: notes(noteable: $noteable, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage) {
      total nodes { ...NoteFields }
    }
  }`,
  [noteFields],
);

const show = graphql(
  `query Note($noteable: NoteableInput!, $id: Int!) {
    note(noteable: $noteable, id: $id) { ...NoteFields }
  }`,
  [noteFields],
);

const showOnSnippet = graphql(
  `query NoteOnSnippet($noteable: NoteableInput!, $id: Int!) {
    note(noteable: $noteable, id: $id) { ...NoteFields snippet { title fileName } }
  }`,
  [noteFields],
);

const create = graphql(
  `mutation CreateNote($noteable: NoteableInput!, $body: String!, $createdAt: DateTime) {
    said: createNote(noteable: $noteable, body: $body, createdAt: $createdAt) {
      __typename
      ...NoteFields
      ...AwardEmojiFields
    }
  }`,
  [noteFields, awardEmojiFields],
);

const update = graphql(
  `mutation UpdateNote($noteable: NoteableInput!, $id: Int!, $body: String!) {
    note: updateNote(noteable: $noteable, id: $id, body: $body) { ...NoteFields }
  }`,
  [noteFields],
);

const remove = graphql(
  `mutation DeleteNote($noteable: NoteableInput!, $id: Int!) {
    deleteNote(noteable: $noteable, id: $id)
  }`,
);

const orders = { created_at: 'createdAt', updated_at: 'updatedAt' } as const;

function showRoute(parent: NoteableParent, path: string) {
  const one = {
    access: 'signed in',
    method: 'get',
    path,
    params: z.object({ ...withinNoteable(parent), note_id: p.id() }),
    variables: ({ note_id: id, ...params }: OneParams) => ({
      noteable: noteableOf(parent, params),
      id,
    }),
  } as const;
  if (parent !== noteableSnippet) {
    return route({
      ...one,
      document: show,
      reshape: (data, _site, params) => note(data.note, iidOf(parent, params)),
    });
  }
  return route({
    ...one,
    document: showOnSnippet,
    // v4 shows a single note with its snippet; snippets do not expire
    reshape: (data, _site, params) => ({
      ...note(data.note, iidOf(parent, params)),
      title: data.note.snippet?.title ?? null,
      file_name: data.note.snippet?.fileName ?? null,
      expires_at: null,
    }),
  });
}

interface OneParams {
  readonly id: string;
  readonly note_id: number;
}

/** The notes of one kind of noteable (specification "Notes", v4-behaviour 2.6). */
function noteRoutes(parent: NoteableParent) {
  const all = { access: 'signed in', path: `${parent.path}/notes` } as const;
  const one = { access: 'signed in', path: `${parent.path}/notes/:note_id` } as const;
  const within = withinNoteable(parent);
  const single = { ...within, note_id: p.id() };
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({
        ...within,
        order_by: p.choice(['created_at', 'updated_at']).optional(),
        sort: p.choice(['asc', 'desc']).optional(),
      }),
      document: list,
      variables: ({ page, perPage, order_by: order, sort, ...path }) => ({
        noteable: noteableOf(parent, path),
        orderBy: order && orders[order],
        sort,
        page,
        perPage,
      }),
      reshape: (record, _site, params) => note(record, iidOf(parent, params)),
    }),
    showRoute(parent, one.path),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...within, body: p.text(), created_at: p.time().optional() }),
      document: create,
      variables: ({ body, created_at: createdAt, ...path }) => ({
        noteable: noteableOf(parent, path),
        body,
        createdAt,
      }),
      reshape: ({ said }, _site, params) =>
        said.__typename === 'Note' ? note(said, iidOf(parent, params)) : awardEmoji(said),
    }),
    route({
      ...one,
      method: 'put',
      params: z.object({ ...single, body: p.text() }),
      document: update,
      variables: ({ note_id: id, body, ...path }) => ({
        noteable: noteableOf(parent, path),
        id,
        body,
      }),
      reshape: (data, _site, params) => note(data.note, iidOf(parent, params)),
    }),
    route({
      ...one,
      method: 'delete',
      params: z.object(single),
      document: remove,
      variables: ({ note_id: id, ...path }) => ({ noteable: noteableOf(parent, path), id }),
    }),
  ];
}

export const notes = [
  ...noteRoutes(noteableIssue),
  ...noteRoutes(noteableMergeRequest),
  ...noteRoutes(noteableSnippet),
];
