import type { Context } from '../kernel/context.ts';
import { forbidden, refuseFaults, unauthenticated } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { changeFaults, wholeFaults } from './faults.ts';
import type { Change } from './input.ts';
import { canManageSettings } from './policy.ts';

/**
 * Changes what is given of the application settings and nothing else, so that two administrators lose
 * nothing to each other; refuses values out of bounds, and what does not go together with what is
 * stored (v4-behaviour 2.15). It holds in this process when this ends; the others are notified.
 */
export async function updateSettings(change: Change, ctx: Context): Promise<void> {
  const { db, viewer, storages, settings, viewers } = ctx;
  if (!viewer) throw unauthenticated();
  if (!canManageSettings(viewer)) throw forbidden();
  refuseFaults(changeFaults(change, storages));
  await transact(db, async (tx) => {
    await tx.$queryRaw`SELECT id FROM application_settings WHERE id = 1 FOR UPDATE`;
    const stored = await tx.applicationSettings.findUniqueOrThrow({ where: { id: 1 } });
    refuseFaults(wholeFaults({ ...stored, ...change }));
    await tx.applicationSettings.update({ where: { id: 1 }, data: change });
  });
  await settings.refresh();
  // who came in by a password may not be let in by one any more
  viewers.forgetAll();
}
