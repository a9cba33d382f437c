import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { awardEmojiFields } from './entities/award-emoji.ts';
import { newNoteParams, note, noteFields, noteShapes, replacedInNotes } from './entities/note.ts';
import {
  iidOf,
  type NoteableParent,
  noteableIssue,
  noteableMergeRequest,
  noteableSnippet,
  onNoteable,
  withinNoteable,
} from './entities/noteable.ts';
import { p, timeOrder } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, selected, shapeOf } from './kernel/shape.ts';

const list = graphql(
  `query Notes(
    $noteable: NoteableInput!, $order_by: NoteOrder, $sort: SortDirection, $page: Int, $perPage: Int
  ) {
    page: notes(noteable: $noteable, orderBy: $order_by, sort: $sort, page: $page, perPage: $perPage) {
      total nodes { ...NoteFields }
    }
  }`,
  [noteFields],
);

const show = graphql(
  `query Note($noteable: NoteableInput!, $note_id: Int!) {
    result: note(noteable: $noteable, id: $note_id) { ...NoteFields }
  }`,
  [noteFields],
);

const showOnSnippet = graphql(
  `query NoteOnSnippet($noteable: NoteableInput!, $note_id: Int!) {
    result: note(noteable: $noteable, id: $note_id) {
      ...NoteFields snippet { title file_name: fileName }
    }
  }`,
  [noteFields],
);

const create = graphql(
  `mutation CreateNote($noteable: NoteableInput!, $body: String!, $created_at: DateTime) {
    result: createNote(noteable: $noteable, body: $body, createdAt: $created_at) {
      ...NoteFields
      ...AwardEmojiFields
    }
  }`,
  [noteFields, awardEmojiFields],
);

const update = graphql(
  `mutation UpdateNote($noteable: NoteableInput!, $note_id: Int!, $body: String!) {
    result: updateNote(noteable: $noteable, id: $note_id, body: $body) { ...NoteFields }
  }`,
  [noteFields],
);

const remove = graphql(
  `mutation DeleteNote($noteable: NoteableInput!, $note_id: Int!) {
    deleteNote(noteable: $noteable, id: $note_id)
  }`,
);

function showRoute(parent: NoteableParent, path: string) {
  const common = {
    access: 'signed in',
    method: 'get',
    path,
    params: z.object({ ...withinNoteable(parent), note_id: p.id() }),
    variables: onNoteable(parent),
  } as const;
  if (parent !== noteableSnippet) {
    return route({
      ...common,
      document: show,
      response: shapeOf(note),
      reshape: (record, _site, params) => note(record, iidOf(parent, params)),
    });
  }
  return route({
    ...common,
    document: showOnSnippet,
    response: changed('SnippetNote', noteFields, replacedInNotes, {
      ...noteShapes,
      title: s.text().nullable().describe('The title of the snippet.'),
      file_name: s.text().nullable().describe('The file name of the snippet.'),
      expires_at: z.null().describe('Always null.'),
    }),
    // v4 shows a single note with its snippet; snippets do not expire
    reshape: ({ snippet, ...record }, _site, params) => ({
      ...note(record, iidOf(parent, params)),
      title: snippet?.title ?? null,
      file_name: snippet?.file_name ?? null,
      expires_at: null,
    }),
  });
}

/** The notes of one kind of noteable (specification "Notes", v4-behaviour 2.6). */
function noteRoutes(parent: NoteableParent) {
  const all = { access: 'signed in', path: `${parent.path}/notes` } as const;
  const singleNote = { access: 'signed in', path: `${parent.path}/notes/:note_id` } as const;
  const within = withinNoteable(parent);
  const single = { ...within, note_id: p.id() };
  const variables = onNoteable(parent);
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({
        ...within,
        order_by: timeOrder,
        sort: p.choice(['asc', 'desc']).optional(),
      }),
      document: list,
      variables,
      response: shapeOf(note),
      reshape: (record, _site, params) => note(record, iidOf(parent, params)),
    }),
    showRoute(parent, singleNote.path),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...within, ...newNoteParams }),
      document: create,
      variables,
      response: z.union([shapeOf(note), selected(awardEmojiFields)]),
      reshape: (record, _site, params) =>
        'body' in record ? note(record, iidOf(parent, params)) : record,
    }),
    route({
      ...singleNote,
      method: 'put',
      params: z.object({ ...single, body: p.text() }),
      document: update,
      variables,
      response: shapeOf(note),
      reshape: (record, _site, params) => note(record, iidOf(parent, params)),
    }),
    route({
      ...singleNote,
      method: 'delete',
      params: z.object(single),
      document: remove,
      variables,
    }),
  ];
}

export const notes = [
  ...noteRoutes(noteableIssue),
  ...noteRoutes(noteableMergeRequest),
  ...noteRoutes(noteableSnippet),
];
