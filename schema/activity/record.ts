import type { Prisma, Transaction } from '../../prisma/client.ts';

/** What somebody did in a project, or by themselves. */
export type Happening = Omit<Prisma.EventUncheckedCreateInput, 'id' | 'createdAt'>;

/**
 * Records what somebody did, in the transaction that did it, for the events of its project and its
 * author (v4-behaviour 3.9), and keeps the project's last activity true to the hour: written each
 * time, the project's row would be what all who work in it wait for.
 */
export async function recordEvent(tx: Transaction, happening: Happening): Promise<void> {
  await tx.event.create({ data: happening, select: { id: true } });
  const { projectId } = happening;
  if (typeof projectId !== 'number') return;
  await tx.$executeRaw`
    UPDATE projects SET last_activity_at = now()
    WHERE id = ${projectId} AND last_activity_at < now() - interval '1 hour'`;
}
