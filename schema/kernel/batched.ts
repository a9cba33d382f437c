import DataLoader from 'dataloader';
import type { Context } from './context.ts';

/**
 * Creates a batched lookup for a field of many rows: all keys requested in one tick of an operation
 * are passed to `load` together, so that a page costs one statement. Keys that `load` leaves out
 * resolve to `absent`. Nothing is cached, because a mutation may change the data in between.
 */
export function batched<Key, Value, Caller extends object = Context>(
  load: (keys: readonly Key[], ctx: Caller) => Promise<ReadonlyMap<Key, Value>>,
  absent: Value,
): (key: Key, ctx: Caller) => Promise<Value> {
  const loaders = new WeakMap<Caller, DataLoader<Key, Value>>();

  const loaderFor = (ctx: Caller) => {
    const existing = loaders.get(ctx);
    if (existing) return existing;
    const loader = new DataLoader<Key, Value>(
      async (keys) => {
        const values = await load([...new Set(keys)], ctx);
        return keys.map((key) => values.get(key) ?? absent);
      },
      { cache: false },
    );
    loaders.set(ctx, loader);
    return loader;
  };

  return (key, ctx) => loaderFor(ctx).load(key);
}
