import { AwardEmoji } from '../award-emoji/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost, textCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { Snippet } from '../snippets/types.ts';
import { NoteThread, threadOf } from './thread.ts';

const NoteableType = builder.enumType('NoteableType', {
  description: 'The type of what a note is written on.',
  values: {
    Issue: { description: 'An issue.' },
    MergeRequest: { description: 'A merge request.' },
    Snippet: { description: 'A snippet.' },
  } as const,
});

export const Note = builder.prismaObject('Note', {
  description:
    'A comment of a user, or a system note, which records an action of a user such as closing an issue.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the note.' }),
    body: t.exposeString('body', { complexity: textCost, description: 'The text in Markdown.' }),
    author: t.relation('author', {
      nullable: true,
      description: 'The user who wrote it or acted; null if the account was deleted.',
    }),
    isSystem: t.exposeBoolean('isSystem', { description: 'Whether it is a system note.' }),
    noteableId: t.int({
      extensions: internal,
      resolve: ({ issueId, mergeRequestId, snippetId }) =>
        issueId ?? mergeRequestId ?? snippetId ?? 0,
    }),
    noteableType: t.field({
      type: NoteableType,
      extensions: internal,
      resolve: ({ issueId, snippetId }) => {
        if (issueId !== null) return 'Issue';
        return snippetId === null ? 'MergeRequest' : 'Snippet';
      },
    }),
    thread: t.field({
      type: NoteThread,
      nullable: true,
      description: 'What a note of a thread has besides; null for a note that is no part of one.',
      complexity: statementCost,
      // no `select`, with which the plugin would look at each row again: all columns are read
      resolve: ({ id, isInThread }, _args, ctx) => (isInThread ? threadOf(id, ctx) : null),
    }),
    snippet: t.relation('snippet', {
      type: Snippet,
      nullable: true,
      extensions: internal,
      description: 'The noteable, if it is a snippet.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the note was written.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the text was last changed.',
    }),
  }),
});

export const NotePage = pageType('Note', Note);

export const NoteOrAward = builder.unionType('NoteOrAward', {
  description: 'A note, or the award emoji that is stored for a note whose text is only an emoji.',
  // a record tells its type by its brand: which columns it has depends on what was selected
  types: [Note, AwardEmoji],
});
