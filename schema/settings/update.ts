import type { Context } from '../kernel/context.ts';
import { forbidden, refuseFaults, unauthenticated } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { changeFaults, combinationFaults } from './faults.ts';
import type { Change } from './input.ts';
import { canManageSettings } from './policy.ts';

/**
 * Updates only the given settings, so that concurrent changes by two administrators both apply;
 * throws for values out of range and for invalid combinations with stored ones (v4-behaviour 2.15).
 * The change applies in this process when this resolves; other processes are notified.
 */
export async function updateSettings(
  change: Change,
  ctx: Pick<Context, 'db' | 'settings' | 'storages' | 'viewer' | 'viewers'>,
): Promise<void> {
  const { db, viewer, storages, settings, viewers } = ctx;
  if (!viewer) throw unauthenticated();
  if (!canManageSettings(viewer)) throw forbidden();
  refuseFaults(changeFaults(change, storages.names));
  await transact(db, async (tx) => {
    await tx.$queryRaw`SELECT id FROM application_settings WHERE id = 1 FOR UPDATE`;
    const stored = await tx.applicationSettings.findUniqueOrThrow({ where: { id: 1 } });
    refuseFaults(combinationFaults({ ...stored, ...change }));
    await tx.applicationSettings.update({ where: { id: 1 }, data: change });
  });
  await settings.refresh();
  // the settings may now forbid sign-in by password
  viewers.forgetAll();
}
