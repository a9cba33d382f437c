import { Prisma } from '../../prisma/client.ts';
import { CommitComment } from '../commits/comments.ts';
import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findRecord, pageOfRecords, recordById } from '../listing/records.ts';
import { commentCondition, findCommitDiscussion } from './commit-find.ts';
import { CommitDiscussion, CommitDiscussionPage } from './commit-types.ts';

builder.objectFields(Commit, (t) => ({
  discussions: t.field({
    type: CommitDiscussionPage,
    description: 'The comments on the commit by what they are about, the oldest discussion first.',
    complexity: listingCost,
    args: pageArgs,
    resolve: ({ id: sha, repository }, page, ctx) =>
      pageOfRecords<typeof CommitDiscussion.$inferType>(ctx, {
        table: 'commit_comments',
        where: Prisma.sql`sha = ${sha} AND NOT is_reply`,
        column: 'id',
        direction: 'asc',
        page,
        parent: belongsTo('project_id', repository.id),
      }),
  }),
  discussion: t.prismaField({
    type: CommitDiscussion,
    extensions: internal,
    description: 'A discussion of the commit.',
    args: {
      discussion: t.arg.string({ required: true, description: 'The id of the discussion.' }),
    },
    resolve: async (query, { id: sha, repository }, { discussion }, ctx) => {
      signedIn(ctx);
      const place = { projectId: repository.id, sha };
      const { firstCommentId } = await findCommitDiscussion(place, discussion, ctx);
      return orThrow(recordById(ctx, 'commitComment', firstCommentId, query), recordNotFound);
    },
  }),
  discussionComment: t.prismaField({
    type: CommitComment,
    extensions: internal,
    description: 'A comment of a discussion of the commit.',
    args: {
      discussion: t.arg.string({ required: true, description: 'The id of the discussion.' }),
      id: t.arg.int({ required: true, description: 'The id of the comment.' }),
    },
    resolve: async (query, { id: sha, repository }, { discussion, id }, ctx) => {
      signedIn(ctx);
      const condition = commentCondition({ projectId: repository.id, sha }, discussion, id);
      return orThrow(findRecord(ctx, { model: 'commitComment', query, condition }), recordNotFound);
    },
  }),
}));
