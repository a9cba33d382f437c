import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

const AwardableType = builder.enumType('AwardableType', {
  values: ['Issue', 'MergeRequest', 'Snippet', 'Note'] as const,
});

/** A reaction of a user to a noteable or to a note (v4-behaviour 3.8). */
export const AwardEmoji = builder.prismaObject('AwardEmoji', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    user: t.relation('user'),
    awardableId: t.int({
      resolve: ({ issueId, mergeRequestId, snippetId, noteId }) =>
        noteId ?? issueId ?? mergeRequestId ?? snippetId ?? 0,
    }),
    awardableType: t.field({
      type: AwardableType,
      resolve: ({ issueId, snippetId, noteId }) => {
        if (noteId !== null) return 'Note';
        if (issueId !== null) return 'Issue';
        return snippetId === null ? 'MergeRequest' : 'Snippet';
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const AwardEmojiPage = pageType('AwardEmoji', AwardEmoji);
