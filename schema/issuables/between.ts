import { Prisma } from '../../prisma/client.ts';

type Instant = Date | null | undefined;

/** Filters by creation and update time; undefined or null means no filter. */
export interface TimeFilter {
  readonly createdAfter?: Instant;
  readonly createdBefore?: Instant;
  readonly updatedAfter?: Instant;
  readonly updatedBefore?: Instant;
}

/** SQL conditions for the given times. */
export const timeConditions = (times: TimeFilter): Prisma.Sql[] => [
  ...(times.createdAfter ? [Prisma.sql`created_at >= ${times.createdAfter}`] : []),
  ...(times.createdBefore ? [Prisma.sql`created_at <= ${times.createdBefore}`] : []),
  ...(times.updatedAfter ? [Prisma.sql`updated_at >= ${times.updatedAfter}`] : []),
  ...(times.updatedBefore ? [Prisma.sql`updated_at <= ${times.updatedBefore}`] : []),
];
