import { Prisma } from '../../prisma/client.ts';

type Instant = Date | null | undefined;

/** When something was made or last changed; what is not given is not asked. */
export interface Times {
  readonly createdAfter?: Instant;
  readonly createdBefore?: Instant;
  readonly updatedAfter?: Instant;
  readonly updatedBefore?: Instant;
}

/** The records of these times, as a filter. */
export const between = (times: Times): Prisma.Sql[] => [
  ...(times.createdAfter ? [Prisma.sql`created_at >= ${times.createdAfter}`] : []),
  ...(times.createdBefore ? [Prisma.sql`created_at <= ${times.createdBefore}`] : []),
  ...(times.updatedAfter ? [Prisma.sql`updated_at >= ${times.updatedAfter}`] : []),
  ...(times.updatedBefore ? [Prisma.sql`updated_at <= ${times.updatedBefore}`] : []),
];
