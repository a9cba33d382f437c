import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { awardEmoji as award, awardEmojiFields } from './entities/award-emoji.ts';
import {
  type NoteableParent,
  noteableIssue,
  noteableMergeRequest,
  noteableOf,
  noteableSnippet,
  numberOf,
  withinNoteable,
} from './entities/noteable.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = graphql(
  `query AwardEmojis($noteable: NoteableInput!, $noteId: Int, $page: Int, $perPage: Int) {
    page: awardEmojis(noteable: $noteable, noteId: $noteId, page: $page, perPage: $perPage) {
      total nodes { ...AwardEmojiFields }
    }
  }`,
  [awardEmojiFields],
);

const show = graphql(
  `query AwardEmoji($noteable: NoteableInput!, $noteId: Int, $id: Int!) {
    result: awardEmoji(noteable: $noteable, noteId: $noteId, id: $id) { ...AwardEmojiFields }
  }`,
  [awardEmojiFields],
);

const create = graphql(
  `mutation GiveAwardEmoji($noteable: NoteableInput!, $noteId: Int, $name: String!) {
    result: giveAwardEmoji(noteable: $noteable, noteId: $noteId, name: $name) {
      ...AwardEmojiFields
    }
  }`,
  [awardEmojiFields],
);

const remove = graphql(
  `mutation TakeBackAwardEmoji($noteable: NoteableInput!, $noteId: Int, $id: Int!) {
    takeBackAwardEmoji(noteable: $noteable, noteId: $noteId, id: $id)
  }`,
);

/** Award emoji of one kind of noteable, or of its notes: `on` gives the paths. */
function awardRoutes(parent: NoteableParent, on: 'thing' | 'note') {
  const below = on === 'note' ? '/notes/:note_id' : '';
  const all = { access: 'signed in', path: `${parent.path}${below}/award_emoji` } as const;
  const one = { access: 'signed in', path: `${all.path}/:award_id` } as const;
  const within: ReturnType<typeof withinNoteable> = {
    ...withinNoteable(parent),
    ...(on === 'note' && { note_id: p.id() }),
  };
  const single = { ...within, award_id: p.id() };
  const awardable = (params: { readonly id: string }) => ({
    noteable: noteableOf(parent, params),
    noteId: on === 'note' ? numberOf({ key: 'note_id' }, params) : undefined,
  });
  return [
    route({
      ...all,
      method: 'get',
      params: z.object(within),
      document: list,
      variables: ({ page, perPage, ...path }) => ({ ...awardable(path), page, perPage }),
      reshape: award,
    }),
    route({
      ...one,
      method: 'get',
      params: z.object(single),
      document: show,
      variables: ({ award_id: id, ...path }) => ({ ...awardable(path), id }),
      reshape: award,
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...within, name: p.text() }),
      document: create,
      variables: ({ name, ...path }) => ({ ...awardable(path), name }),
      reshape: award,
    }),
    route({
      ...one,
      method: 'delete',
      params: z.object(single),
      document: remove,
      variables: ({ award_id: id, ...path }) => ({ ...awardable(path), id }),
    }),
  ];
}

/** Award emoji on issues, merge requests and snippets, and on their notes (v4-behaviour 3.8). */
export const awardEmoji = [
  ...awardRoutes(noteableIssue, 'thing'),
  ...awardRoutes(noteableIssue, 'note'),
  ...awardRoutes(noteableMergeRequest, 'thing'),
  ...awardRoutes(noteableMergeRequest, 'note'),
  ...awardRoutes(noteableSnippet, 'thing'),
  ...awardRoutes(noteableSnippet, 'note'),
];
