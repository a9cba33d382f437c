import DataLoader from 'dataloader';
import type { Context } from './context.ts';

/**
 * Makes a look-up for a field of many rows: what is asked for side by side within one operation goes
 * to `load` together, so that a page costs one statement. `load` leaves out what it does not find,
 * which is then `absent`. Nothing is remembered, for a mutation may change it in between.
 */
export function batched<Key, Value>(
  load: (keys: readonly Key[], ctx: Context) => Promise<ReadonlyMap<Key, Value>>,
  absent: Value,
): (key: Key, ctx: Context) => Promise<Value> {
  const loaders = new WeakMap<Context, DataLoader<Key, Value>>();

  const loaderFor = (ctx: Context) => {
    const known = loaders.get(ctx);
    if (known) return known;
    const loader = new DataLoader<Key, Value>(
      async (keys) => {
        const found = await load([...new Set(keys)], ctx);
        return keys.map((key) => found.get(key) ?? absent);
      },
      { cache: false },
    );
    loaders.set(ctx, loader);
    return loader;
  };

  return (key, ctx) => loaderFor(ctx).load(key);
}
