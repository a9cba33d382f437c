import type { Logger } from 'pino';
import type { Context } from '../../schema/kernel/context.ts';
import { outageOf } from '../../schema/kernel/outage.ts';
import { settleEntry } from '../../schema/wikis/settle.ts';
import { runPeriodically } from './periodic.ts';

/** The process that received a younger push most likely still handles it. */
const settlesWithin = 60_000;

/** After this no process updates references for a push any more, which takes git seconds. */
const overAfter = 600_000;

/** Interval of the check for entries of dead processes; also covers processes that never restart. */
const interval = 30_000;

const pageSize = 1000;

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'settings'>;

interface Entry {
  readonly id: bigint;
  readonly projectId: number;
  readonly createdAt: Date;
  readonly isSettling: boolean;
}

/**
 * Settles pushes and wiki edits whose consequences a kill cut off; settling twice changes nothing.
 * An entry that cannot be settled, or kills the process, is moved to the queue, which gives it up
 * after its retries: startup must not crash on the same entry again.
 */
export function settleLedger(parts: Parts, log: Logger) {
  const { db } = parts;
  const release = async ({ id }: Entry) => {
    await db.push.updateMany({ where: { id }, data: { isSettling: false } });
  };
  const settle = async (entry: Entry) => {
    if (entry.isSettling) return handOver(entry, parts);
    // recorded before the work begins, so that the next start knows of a crash
    const { count } = await db.push.updateMany({
      where: { id: entry.id, isSettling: false, settleAt: { not: null } },
      data: { isSettling: true, settleAt: nextLook(entry) },
    });
    if (count === 0) return;
    try {
      await settleEntry(entry.id, parts, isOver(entry));
    } catch (error) {
      log.error({ err: error, push: String(entry.id) }, 'push unsettled');
      const outage = outageOf(error);
      // the next check follows soon, and no retry of an hour
      if (outage && outage.part !== 'repository') return release(entry);
      return handOver(entry, parts, { hasFailed: true });
    }
    await release(entry);
  };
  /** Each processed entry is due after `due` from then on, or deleted, so the loop ends. */
  const sweep = async (due: Date) => {
    for (let isFull = true; isFull; ) {
      const page = await db.push.findMany({
        where: { settleAt: { lte: due } },
        orderBy: [{ settleAt: 'asc' }, { id: 'asc' }],
        take: pageSize,
        select: { id: true, projectId: true, createdAt: true, isSettling: true },
      });
      for (const entry of page) await settle(entry);
      isFull = page.length === pageSize;
    }
  };
  const rounds = runPeriodically(
    interval,
    () => sweep(new Date()),
    (error) => log.error({ err: error }, 'ledger'),
  );
  /** Settles every open push; at startup, whatever its age. */
  const now = () => sweep(new Date(Date.now() + settlesWithin));
  return { ...rounds, now };
}

/** The handler of the job for a ledger entry that was moved to the queue. */
export async function settleHandedOver(id: bigint, parts: Parts): Promise<void> {
  const { db } = parts;
  const entry = await db.push.findUnique({ where: { id }, select: { createdAt: true } });
  if (!entry) return;
  await settleEntry(id, parts, isOver(entry));
  await db.push.updateMany({
    where: { id },
    data: { isSettling: false, settleAt: nextLook(entry) },
  });
}

/** Leaves an entry to the queue, which tries it again for a day and then gives it up. */
async function handOver(
  { id, projectId }: Entry,
  { db, jobs }: Parts,
  reason: { readonly hasFailed?: true } = {},
): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.push.updateMany({
      where: { id, settleAt: { not: null } },
      data: { settleAt: null },
    });
    if (count > 0)
      await jobs.enqueue('settle-push', { pushId: String(id), projectId, ...reason }, tx);
  });
}

type Age = Pick<Entry, 'createdAt'>;

const ageOf = ({ createdAt }: Age) => Date.now() - createdAt.getTime();

const isOver = (entry: Age) => ageOf(entry) > overAfter;

/** The older an entry without updated references, the longer the interval to the next check. */
const nextLook = (entry: Age) => {
  const age = ageOf(entry);
  const pause = age < overAfter ? Math.min(age, overAfter - age) : age;
  return new Date(Date.now() + Math.max(pause, settlesWithin));
};
