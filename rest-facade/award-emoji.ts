import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { awardEmojiFields } from './entities/award-emoji.ts';
import {
  type NoteableParent,
  noteableIssue,
  noteableMergeRequest,
  noteableSnippet,
  onNoteable,
  withinNoteable,
} from './entities/noteable.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = graphql(
  `query AwardEmojis($noteable: NoteableInput!, $note_id: Int, $page: Int, $perPage: Int) {
    page: awardEmojis(noteable: $noteable, noteId: $note_id, page: $page, perPage: $perPage) {
      total nodes { ...AwardEmojiFields }
    }
  }`,
  [awardEmojiFields],
);

const show = graphql(
  `query AwardEmoji($noteable: NoteableInput!, $note_id: Int, $award_id: Int!) {
    result: awardEmoji(noteable: $noteable, noteId: $note_id, id: $award_id) { ...AwardEmojiFields }
  }`,
  [awardEmojiFields],
);

const create = graphql(
  `mutation GiveAwardEmoji($noteable: NoteableInput!, $note_id: Int, $name: String!) {
    result: createAwardEmoji(noteable: $noteable, noteId: $note_id, name: $name) {
      ...AwardEmojiFields
    }
  }`,
  [awardEmojiFields],
);

const remove = graphql(
  `mutation TakeBackAwardEmoji($noteable: NoteableInput!, $note_id: Int, $award_id: Int!) {
    deleteAwardEmoji(noteable: $noteable, noteId: $note_id, id: $award_id)
  }`,
);

/** Award emoji of one kind of noteable, or of its notes: `on` gives the paths. */
function awardRoutes(parent: NoteableParent, on: 'thing' | 'note') {
  const below = on === 'note' ? '/notes/:note_id' : '';
  const all = { access: 'signed in', path: `${parent.path}${below}/award_emoji` } as const;
  const award = { access: 'signed in', path: `${all.path}/:award_id` } as const;
  const within: ReturnType<typeof withinNoteable> = {
    ...withinNoteable(parent),
    ...(on === 'note' && { note_id: p.id() }),
  };
  const single = { ...within, award_id: p.id() };
  const variables = onNoteable(parent);
  return [
    route({
      ...all,
      method: 'get',
      params: z.object(within),
      document: list,
      variables,
    }),
    route({
      ...award,
      method: 'get',
      params: z.object(single),
      document: show,
      variables,
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...within, name: p.text() }),
      document: create,
      variables,
    }),
    route({
      ...award,
      method: 'delete',
      params: z.object(single),
      document: remove,
      variables,
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
