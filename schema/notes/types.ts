import { AwardEmoji } from '../award-emoji/types.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../kernel/page.ts';
import { Snippet } from '../snippets/types.ts';

const NoteableType = builder.enumType('NoteableType', {
  values: ['Issue', 'MergeRequest', 'Snippet'] as const,
});

/** What was said of a thing, or what the service noted of it (v4-behaviour 2.6). */
export const Note = builder.prismaObject('Note', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    body: t.exposeString('body', { complexity: textCost }),
    author: t.relation('author', { nullable: true }),
    /** The service wrote it. */
    isSystem: t.exposeBoolean('isSystem'),
    noteableId: t.int({
      resolve: ({ issueId, mergeRequestId, snippetId }) =>
        issueId ?? mergeRequestId ?? snippetId ?? 0,
    }),
    noteableType: t.field({
      type: NoteableType,
      resolve: ({ issueId, snippetId }) => {
        if (issueId !== null) return 'Issue';
        return snippetId === null ? 'MergeRequest' : 'Snippet';
      },
    }),
    /** What it is about, if that is a snippet. */
    snippet: t.relation('snippet', { type: Snippet, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const NotePage = pageType('Note', Note);

/** A note that is nothing but an emoji is given as one. */
export const NoteOrAward = builder.unionType('NoteOrAward', {
  types: [Note, AwardEmoji],
  resolveType: (said) => ('body' in said ? 'Note' : 'AwardEmoji'),
});
