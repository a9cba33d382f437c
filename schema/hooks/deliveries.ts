import { writeDeliveries } from '../activity/notify-hooks.ts';
import type { SystemHookTestPayload } from '../hook-payloads/system-hook-test.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { HookOwner } from './find.ts';

const day = 86_400_000;

/** By then all attempts have ended. */
const longestWait = 3 * 3_600_000;

/** Deliveries before this time are deleted. */
export const deliveriesKeptSince = (): Date => new Date(Date.now() - 7 * day);

/**
 * Sends a delivery again, unchanged, to the present URL of its hook with the present token, whatever the
 * hook subscribes to now; ignores one that is still pending. Returns its id.
 */
export async function resendDelivery(
  { projectId }: HookOwner,
  id: number,
  { db, jobs }: Context,
): Promise<number> {
  return transact(db, async (tx) => {
    const delivery = await tx.hookDelivery.findFirst({
      where: { id, hook: { projectId } },
      select: { hookId: true, state: true },
    });
    if (!delivery) throw recordNotFound();
    const { hookId } = delivery;
    // of concurrent requests one enqueues it; a delivery pending for so long has lost its job
    const stuckBefore = new Date(Date.now() - longestWait);
    const { count } = await tx.hookDelivery.updateMany({
      where: { id, OR: [{ state: { not: 'pending' } }, { createdAt: { lt: stuckBefore } }] },
      data: { state: 'pending', createdAt: new Date(), subscription: null },
    });
    if (count > 0) await jobs.enqueue('deliver-hook', { deliveryId: id, hookId }, tx);
    return id;
  });
}

/** The payload of a system hook's test. */
export const testPayload: SystemHookTestPayload = {
  event_name: 'project_create',
  name: 'Ruby',
  path: 'ruby',
  project_id: 1,
  owner_name: 'Someone',
  owner_email: 'someone@example.com',
};

export const sendTestPayload = (hookId: number, { db, jobs }: Context): Promise<void> =>
  transact(db, (tx) =>
    writeDeliveries(tx, jobs, [hookId], { event: 'System Hook', subscription: null }, testPayload),
  );
