import type { Context } from '../kernel/context.ts';

const day = 24 * 3_600_000;

/** Rows deleted by one statement. */
const batch = 1_000;

/** Deletes audit events older than `days`. */
export async function deleteOldAuditEvents(
  days: number,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  const horizon = new Date(Date.now() - days * day);
  for (;;) {
    const old = await db.auditEvent.findMany({
      where: { createdAt: { lt: horizon } },
      select: { id: true },
      take: batch,
    });
    if (old.length === 0) return;
    await db.auditEvent.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
  }
}
