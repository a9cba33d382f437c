import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../kernel/page.ts';
import { usersAmong } from '../users/among.ts';
import { UserPage } from '../users/types.ts';
import { MergeRequest } from './types.ts';

/** Whoever wrote it, is to do it, or talked about it, each once. */
const participants = (id: number): Prisma.Sql => Prisma.sql`(
  SELECT author_id AS id FROM merge_requests WHERE id = ${id} AND author_id IS NOT NULL
  UNION
  SELECT assignee_id FROM merge_requests WHERE id = ${id} AND assignee_id IS NOT NULL
  UNION
  SELECT author_id FROM notes
  WHERE merge_request_id = ${id} AND NOT is_system AND author_id IS NOT NULL)`;

builder.prismaObjectField(MergeRequest, 'participants', (t) =>
  t.field({
    type: UserPage,
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, { db }) => usersAmong(participants(id), page, db),
  }),
);
