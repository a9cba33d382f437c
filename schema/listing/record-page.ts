import type { Prisma } from '../../prisma/client.ts';
import { offsetPage, type Page, type PageArgs, rowsOf } from './page.ts';

/** A Prisma model, e.g. `db.key`. */
interface Model {
  findMany(args: never): Promise<unknown[]>;
  count(args: never): Promise<number>;
}

/** A page of the records that Prisma's `where` selects, in the order of its `orderBy`. */
export const recordPage = <Records extends Model>(
  records: Records,
  listing: Pick<Prisma.Args<Records, 'findMany'>, 'where' | 'orderBy' | 'relationLoadStrategy'>,
  page: PageArgs,
): Page<Prisma.Result<Records, object, 'findMany'>[number]> =>
  offsetPage(
    {
      nodes: (query) =>
        records.findMany({ ...query, ...rowsOf(page), ...listing } as never) as Promise<
          Prisma.Result<Records, object, 'findMany'>
        >,
      total: () => records.count({ where: listing.where } as never),
    },
    page,
  );
