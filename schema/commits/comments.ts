import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { recordPage } from '../listing/record-page.ts';
import { Commit } from './types.ts';

export const LineType = builder.enumType('LineType', {
  description: 'Which side of a diff a line is on.',
  values: ['new', 'old'] as const,
});

export const CommitComment = builder.prismaObject('CommitComment', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    note: t.exposeString('note', { complexity: textCost }),
    /** The line commented on; null for the whole commit. */
    path: t.exposeString('path', { nullable: true }),
    line: t.exposeInt('line', { nullable: true }),
    lineType: t.expose('lineType', { type: LineType, nullable: true }),
    author: t.relation('author', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const CommitCommentPage = pageType('CommitComment', CommitComment);

builder.objectField(Commit, 'comments', (t) =>
  t.field({
    type: CommitCommentPage,
    description: 'What was said of it, the oldest first.',
    complexity: listingCost,
    args: pageArgs,
    resolve: ({ id: sha, repository }, page, { db }) => {
      return recordPage(
        db.commitComment,
        { where: { projectId: repository.id, sha }, orderBy: { id: 'asc' } },
        page,
      );
    },
  }),
);
