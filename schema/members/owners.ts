import { Access } from '../kernel/access.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { unexpired } from './valid.ts';

interface GroupMembership {
  readonly namespaceId: number | null;
  readonly accessLevel: number;
  readonly expiresAt: Date | null;
}

const ownersOf = batched<number, number>(async (ids, { db }) => {
  const counts = await db.member.groupBy({
    by: ['namespaceId'],
    where: { namespaceId: { in: [...ids] }, accessLevel: Access.owner, ...unexpired() },
    _count: true,
  });
  return new Map(counts.map(({ namespaceId, _count }) => [namespaceId ?? 0, _count]));
}, 0);

/** The number of owners of the group of a membership, without its own user. */
export async function otherOwners(
  { namespaceId, accessLevel, expiresAt }: GroupMembership,
  ctx: Context,
): Promise<number> {
  const owners = await ownersOf(namespaceId ?? 0, ctx);
  const isOwner = accessLevel === Access.owner && (expiresAt === null || expiresAt > new Date());
  return owners - (isOwner ? 1 : 0);
}
