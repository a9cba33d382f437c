import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { idsOf, inOrder } from '../kernel/listing.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
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
    resolve: ({ id }, page, { db }) => ({
      nodes: async (query) => {
        const { skip, take } = rowsOf(page);
        const found = await db.$queryRaw<{ id: number }[]>`
          SELECT id FROM ${participants(id)} people ORDER BY id LIMIT ${take} OFFSET ${skip}`;
        return inOrder(idsOf(found), (where) => db.user.findMany({ ...query, where }));
      },
      total: async () => {
        const [row] = await db.$queryRaw<[{ total: number }]>`
          SELECT count(*)::int AS total FROM ${participants(id)} people`;
        return row.total;
      },
    }),
  }),
);
