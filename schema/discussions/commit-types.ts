import { CommitComment } from '../commits/comments.ts';
import { canEditComment } from '../commits/policy.ts';
import { DiffPosition } from '../diff-positions/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';
import { discussionKey } from '../notes/discussion-key.ts';
import { projectById } from '../projects/find.ts';
import { inOrder } from './replies.ts';

const CommitCommentType = builder.enumType('CommitCommentType', {
  description: 'The kind of a comment on a commit.',
  values: {
    DiscussionNote: { description: 'A comment of a thread on the commit as a whole.' },
    DiffNote: { description: 'A comment on a line or an image of the diff.' },
    LegacyDiffNote: {
      description: 'A comment on a line by its number, which need not be in the diff.',
    },
  } as const,
});

builder.prismaObjectFields(CommitComment, (t) => ({
  type: t.field({
    type: CommitCommentType,
    nullable: true,
    description: 'The kind. Null for a comment on the commit as a whole without replies.',
    select: {
      path: true,
      thread: { select: { commentId: true } },
      position: { select: { id: true } },
    },
    resolve: ({ path, thread, position }) => {
      if (position) return 'DiffNote';
      if (path !== null) return 'LegacyDiffNote';
      return thread ? 'DiscussionNote' : null;
    },
  }),
  position: t.relation('position', {
    type: DiffPosition,
    nullable: true,
    description: 'The place in the diff. Null for a comment that was written without one.',
  }),
  discussionKey: t.string({
    description: 'The key of the discussion that it is part of: 40 hexadecimal digits.',
    select: { id: true, thread: { select: { startedBy: true } } },
    resolve: ({ id, thread }) => discussionKey('comment', thread?.startedBy ?? id),
  }),
  canEdit: t.boolean({
    description: 'Whether the current user may change or delete it: its author and masters.',
    select: { projectId: true, authorId: true },
    resolve: async ({ projectId, authorId }, _args, ctx) => {
      if (!ctx.viewer) return false;
      const { level } = await projectById(projectId, ctx);
      return canEditComment(ctx.viewer, level, { authorId });
    },
  }),
}));

interface ThreadComment {
  readonly id: number;
  readonly createdAt: Date;
}

/** The first comment of a discussion stands for all of it. */
export const CommitDiscussion = builder.prismaObject('CommitComment', {
  variant: 'CommitDiscussion',
  description:
    'The comments about one matter on a commit: a single comment, or a thread with replies.',
  fields: (t) => ({
    key: t.string({
      description:
        'The id over REST: 40 hexadecimal digits. It stays the same if the first comment is deleted.',
      select: { id: true, thread: { select: { startedBy: true } } },
      resolve: ({ id, thread }) => discussionKey('comment', thread?.startedBy ?? id),
    }),
    isIndividual: t.boolean({
      description: 'Whether it is a single comment, to which there can be no replies.',
      select: { path: true, thread: { select: { commentId: true } } },
      resolve: ({ path, thread }) => !thread && path === null,
    }),
    firstComment: t.variant(CommitComment, { description: 'The comment that it starts with.' }),
    replies: t.field({
      type: [CommitComment],
      description: 'The other comments, the oldest first.',
      complexity: { field: statementCost, multiplier: 10 },
      select: (_args, _ctx, nested) => ({
        id: true,
        threadComments: {
          select: {
            commentId: true,
            comment: nested({ select: { id: true, createdAt: true } }),
          },
          orderBy: { commentId: 'asc' },
        },
      }),
      resolve: ({ id, threadComments }) =>
        inOrder(
          (threadComments as unknown as readonly { readonly comment: ThreadComment }[])
            .map(({ comment }) => comment)
            .filter((comment) => comment.id !== id),
        ) as never,
    }),
  }),
});

export const CommitDiscussionPage = pageType('CommitDiscussion', CommitDiscussion);
