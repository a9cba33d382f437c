import type { Prisma } from '../../prisma/client.ts';

/** Memberships and shares that have not run out: they end at the beginning of the day named. */
export const unexpired = () =>
  ({
    OR: [{ expiresAt: null }, { expiresAt: { gt: today() } }],
  }) satisfies Prisma.MemberWhereInput & Prisma.ProjectGroupLinkWhereInput;

/** Somebody's memberships that have not run out. */
export const validMembership = (userId: number) =>
  ({ userId, ...unexpired() }) satisfies Prisma.MemberWhereInput;

/** The day and not the moment, so that all selections of one query agree and are read at once. */
const today = () => new Date(new Date().setUTCHours(0, 0, 0, 0));
