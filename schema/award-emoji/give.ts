import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { type DomainError, notFound } from '../kernel/errors.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { updateCounters } from '../noteables/counting.ts';
import { type Awardable, noAward } from './find.ts';
import { canAward, votes } from './policy.ts';

/**
 * Why no award was stored: over v4, each has its own text about something missing (v4-behaviour
 * 3.8).
 */
export type AwardFault = 'barred' | 'taken' | 'unknown';

export const awardRefusal = (fault: AwardFault): DomainError =>
  fault === 'barred' ? noAward() : notFound(`Award Emoji {:name=>["${texts[fault]}"]}`);

const texts = { taken: 'has already been taken', unknown: 'is not included in the list' } as const;

/**
 * Awards an emoji, by its stored name, in the viewer's name. Gives the award's id or the reason why
 * not.
 */
export async function giveAward(
  awardable: Awardable,
  name: string,
  viewer: Viewer,
  { db }: Pick<Context, 'db'>,
): Promise<number | AwardFault> {
  if (awardable.isSystem || !canAward(viewer, name, awardable)) return 'barred';
  return (await storeAward(awardable, name, viewer, { db })) ?? 'taken';
}

/** How often to retry while concurrent requests remove and re-create the award. */
const mostAttempts = 5;

/**
 * Awards the emoji that is a note's whole text, also as a vote on the viewer's own item. Gives the
 * award's id: a new one, or the viewer's existing one.
 */
export async function awardByNote(
  awardable: Awardable,
  name: string,
  viewer: Viewer,
  { db }: Pick<Context, 'db'>,
): Promise<number> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const awardId = await storeAward(awardable, name, viewer, { db });
    if (awardId !== null) return awardId;
    const where = { ...awardable.parent, userId: viewer.id, name };
    const existing = await db.awardEmoji.findFirst({ where, select: { id: true } });
    if (existing) return existing.id;
  }
  throw awardRefusal('taken');
}

/** The id of a new award; null if the viewer has awarded this emoji already. */
async function storeAward(
  awardable: Awardable,
  name: string,
  viewer: Viewer,
  { db }: Pick<Context, 'db'>,
): Promise<number | null> {
  try {
    return await transact(db, async (tx) => {
      await countVote(tx, awardable, name, 1);
      const { id } = await tx.awardEmoji.create({
        data: { ...awardable.parent, userId: viewer.id, name },
        select: { id: true },
      });
      return id;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Deletes an award; does nothing if a concurrent request has deleted it. */
export async function removeAward(
  awardable: Awardable,
  award: { readonly id: number; readonly name: string; readonly updatedAt: Date },
  ctx: Pick<Context, 'db' | 'request'>,
): Promise<void> {
  refuseModified(award, ctx);
  await transact(ctx.db, async (tx) => {
    await countVote(tx, awardable, award.name, -1);
    const count = await tx.awardEmoji.deleteMany({ where: { id: award.id } });
    if (count.count === 0) throw noAward();
  });
}

async function countVote(
  tx: Transaction,
  { counted }: Awardable,
  name: string,
  by: 1 | -1,
): Promise<void> {
  const vote = votes.get(name);
  if (counted && vote) await updateCounters(tx, counted, { [vote]: by });
}
