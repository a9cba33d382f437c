import type { Prisma } from '../../prisma/client.ts';

/** Unexpired memberships and shares: they end at the start of the given day. */
export const unexpired = () =>
  ({
    OR: [{ expiresAt: null }, { expiresAt: { gt: today() } }],
  }) satisfies Prisma.MemberWhereInput & Prisma.ProjectGroupLinkWhereInput;

/** The unexpired memberships of a user. */
export const validMembership = (userId: number) =>
  ({ userId, ...unexpired() }) satisfies Prisma.MemberWhereInput;

/** The day and not the time, so that all selections of one query are equal and batched. */
const today = () => new Date(new Date().setUTCHours(0, 0, 0, 0));
