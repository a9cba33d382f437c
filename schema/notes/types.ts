import { AwardEmoji } from '../award-emoji/types.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';
import { Snippet } from '../snippets/types.ts';

const NoteableType = builder.enumType('NoteableType', {
  values: ['Issue', 'MergeRequest', 'Snippet'] as const,
});

/** A comment on a noteable, or a system note (v4-behaviour 2.6). */
export const Note = builder.prismaObject('Note', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    body: t.exposeString('body', { complexity: textCost }),
    author: t.relation('author', { nullable: true }),
    /** Whether it is a system note. */
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
    /** The noteable, if it is a snippet. */
    snippet: t.relation('snippet', { type: Snippet, nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const NotePage = pageType('Note', Note);

/** A note whose text is only an emoji is stored as an award. */
export const NoteOrAward = builder.unionType('NoteOrAward', {
  types: [Note, AwardEmoji],
  resolveType: (noteOrAward) => ('body' in noteOrAward ? 'Note' : 'AwardEmoji'),
});
