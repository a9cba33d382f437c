import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../kernel/page.ts';
import { usersAmong } from '../users/among.ts';
import { UserPage } from '../users/types.ts';
import { Issue } from './types.ts';

/** Whoever wrote it, is to do it, or talked about it, each once. */
const participants = (issueId: number): Prisma.Sql => Prisma.sql`(
  SELECT author_id AS id FROM issues WHERE id = ${issueId} AND author_id IS NOT NULL
  UNION
  SELECT user_id FROM issue_assignees WHERE issue_id = ${issueId}
  UNION
  SELECT author_id FROM notes
  WHERE issue_id = ${issueId} AND NOT is_system AND author_id IS NOT NULL)`;

builder.prismaObjectField(Issue, 'participants', (t) =>
  t.field({
    type: UserPage,
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, { db }) => usersAmong(participants(id), page, db),
  }),
);
