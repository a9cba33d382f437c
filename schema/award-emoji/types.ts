import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';

const AwardableType = builder.enumType('AwardableType', {
  description: 'The type of what an award emoji was given to.',
  values: {
    Issue: { description: 'An issue.' },
    MergeRequest: { description: 'A merge request.' },
    Snippet: { description: 'A snippet.' },
    Note: { description: 'A note.' },
  } as const,
});

export const AwardEmoji = builder.prismaObject('AwardEmoji', {
  description: 'A reaction of a user to an issue, merge request, snippet or note.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the award emoji.' }),
    name: t.exposeString('name', {
      description: 'The name of the emoji without colons, such as `thumbsup`.',
    }),
    user: t.relation('user', { description: 'The user who gave it.' }),
    awardableId: t.int({
      extensions: internal,
      resolve: ({ issueId, mergeRequestId, snippetId, noteId }) =>
        noteId ?? issueId ?? mergeRequestId ?? snippetId ?? 0,
    }),
    awardableType: t.field({
      type: AwardableType,
      extensions: internal,
      resolve: ({ issueId, snippetId, noteId }) => {
        if (noteId !== null) return 'Note';
        if (issueId !== null) return 'Issue';
        return snippetId === null ? 'MergeRequest' : 'Snippet';
      },
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the award emoji was given.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the award emoji was last changed.',
    }),
  }),
});

export const AwardEmojiPage = pageType('AwardEmoji', AwardEmoji);
