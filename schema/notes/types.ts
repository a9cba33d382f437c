import { AwardEmoji } from '../award-emoji/types.ts';
import { builder } from '../kernel/builder.ts';
import { pageType } from '../kernel/page.ts';

const NoteableType = builder.enumType('NoteableType', { values: ['Issue'] as const });

/** What was said of a thing, or what the service noted of it (v4-behaviour 2.6). */
export const Note = builder.prismaObject('Note', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    body: t.exposeString('body'),
    author: t.relation('author', { nullable: true }),
    /** The service wrote it. */
    isSystem: t.exposeBoolean('isSystem'),
    noteableId: t.int({ resolve: ({ issueId }) => issueId ?? 0 }),
    noteableType: t.field({ type: NoteableType, resolve: () => 'Issue' as const }),
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
