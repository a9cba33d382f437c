import type { Database, Prisma, User } from '../../prisma/client.ts';
import { offsetPage, type Page, type PageArgs, rowsOf } from '../listing/page.ts';
import { idsOf, inOrder } from '../listing/reader.ts';

/** A page of the users whose ids the subquery `ids` returns, without duplicates, ordered by id. */
export const usersWithIds = (ids: Prisma.Sql, page: PageArgs, db: Database): Page<User> =>
  offsetPage(
    {
      nodes: async (query) => {
        const { skip, take } = rowsOf(page);
        const rows = await db.$queryRaw<{ id: number }[]>`
      SELECT id FROM ${ids} people ORDER BY id LIMIT ${take} OFFSET ${skip}`;
        return inOrder(idsOf(rows), (where) => db.user.findMany({ ...query, where }));
      },
      total: async () => {
        const [row] = await db.$queryRaw<[{ total: number }]>`
      SELECT count(*)::int AS total FROM ${ids} people`;
        return row.total;
      },
    },
    page,
  );
