import { ifUnreadable } from '../kernel/outage.ts';

/**
 * Reads the objects of a listing together or, if one of them cannot be read, one by one, without that one: a
 * process of git that meets it ends, and fails the requests that it has not responded to.
 */
export async function readableOf<Id, Value>(
  ids: readonly Id[],
  read: (ids: readonly Id[]) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  const together = await read(ids).catch(ifUnreadable(null));
  if (together) return together;
  const values: Value[] = [];
  for (const id of ids) values.push(...(await read([id]).catch(ifUnreadable([]))));
  return values;
}
