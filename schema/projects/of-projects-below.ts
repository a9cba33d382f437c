import { Prisma, plannedEachTime } from '../../prisma/client.ts';
import { groupsBelow } from '../groups/reach.ts';
import type { Context } from '../kernel/context.ts';
import { list } from '../kernel/sql.ts';

/** More projects are not listed: planning compares each id with PostgreSQL's statistics. */
const mostListed = 1_000;

/**
 * The condition that rows belong to one of the projects at any depth below a group that match
 * `condition`. A few projects are listed by their ids: PostgreSQL then knows how many rows they have,
 * of which one project can have most. For a subquery it assumes an average, and sorts all rows where
 * an index has them in order.
 */
export async function ofProjectsBelow(
  groupId: number,
  condition: Prisma.Sql,
  { db }: Pick<Context, 'db'>,
): Promise<Prisma.Sql> {
  const projects = Prisma.sql`
    SELECT id FROM projects WHERE namespace_id IN (${groupsBelow([groupId])}) AND ${condition}`;
  const listed = await db.$queryRaw<{ id: number }[]>`${projects} LIMIT ${mostListed + 1}`;
  if (listed.length > mostListed) return Prisma.sql`project_id IN (${projects})`;
  return Prisma.sql`project_id = ANY(${list(listed.map(({ id }) => id))}) ${plannedEachTime}`;
}
