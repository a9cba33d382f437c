import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { pageOfRecords } from '../listing/records.ts';
import { Commit } from './types.ts';

export const LineType = builder.enumType('LineType', {
  description: 'The side of a diff that a line is on.',
  values: {
    new: { description: 'A line of the file after the change.' },
    old: { description: 'A line of the file before the change.' },
  } as const,
});

export const CommitComment = builder.prismaObject('CommitComment', {
  description: 'A comment on a commit, or on a line of its diff.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the comment.' }),
    body: t.exposeString('note', { description: 'The text, in Markdown.', complexity: textCost }),
    path: t.exposeString('path', {
      description: 'The path of the file. Null for a comment on the whole commit.',
      nullable: true,
    }),
    line: t.exposeInt('line', {
      description: 'The number of the line, from 1. Null for a comment on the whole commit.',
      nullable: true,
    }),
    lineType: t.expose('lineType', {
      type: LineType,
      description: 'The side of the diff. Null for a comment on the whole commit.',
      nullable: true,
    }),
    author: t.relation('author', {
      description: 'The user who commented. Null if that user was removed.',
      nullable: true,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the comment was written.',
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When the text was last changed.',
      select: { createdAt: true, updatedAt: true },
      resolve: ({ createdAt, updatedAt }) => updatedAt ?? createdAt,
    }),
  }),
});

const CommitCommentPage = pageType('CommitComment', CommitComment);

builder.objectField(Commit, 'comments', (t) =>
  t.field({
    type: CommitCommentPage,
    description: 'The comments on the commit, oldest first.',
    complexity: listingCost,
    args: pageArgs,
    resolve: ({ id: sha, repository }, page, ctx) => {
      return pageOfRecords<typeof CommitComment.$inferType>(ctx, {
        table: 'commit_comments',
        where: Prisma.sql`sha = ${sha}`,
        column: 'id',
        direction: 'asc',
        page,
        parent: belongsTo('project_id', repository.id),
      });
    },
  }),
);
