export type HolderClass = 'signed in' | 'new account' | 'anonymous' | 'background';

/** Who holds memory. Those of a class with the same key have one share together. */
export interface Holder {
  readonly class: HolderClass;
  readonly key: string;
}

interface MemoryLimits {
  /** Bytes in all. */
  readonly total: number;
  readonly perHolder: number;
  /** Bytes that other classes leave to the holders of each class. */
  readonly guaranteed: Readonly<Record<HolderClass, number>>;
  /** Those who hold more than this leave twice as much to the others of their class. */
  readonly modest: number;
}

/** Divides memory, so that neither one holder nor a class of them can hold all of it. */
export function memoryShares({ total, perHolder, guaranteed, modest }: MemoryLimits) {
  const ofClasses = new Map<HolderClass, number>();
  const ofHolders = new Map<string, number>();
  const keyOf = (holder: Holder) => `${holder.class} ${holder.key}`;
  const add = <Key>(held: Map<Key, number>, key: Key, bytes: number) => {
    const sum = (held.get(key) ?? 0) + bytes;
    if (sum > 0) held.set(key, sum);
    else held.delete(key);
  };
  const classes = Object.keys(guaranteed) as HolderClass[];
  const leftTo = (own: HolderClass): number =>
    classes.reduce((left, name) => {
      const held = ofClasses.get(name) ?? 0;
      return left - (name === own ? held : Math.max(held, guaranteed[name]));
    }, total);

  return {
    /** Counts bytes; negative ones are released. */
    hold: (holder: Holder, bytes: number): void => {
      add(ofClasses, holder.class, bytes);
      add(ofHolders, keyOf(holder), bytes);
    },
    /** Whether the holder may hold what it holds and so many bytes more. */
    fits: (holder: Holder, bytes = 0): boolean => {
      const held = (ofHolders.get(keyOf(holder)) ?? 0) + bytes;
      const needed = held > modest ? 2 * modest : 0;
      return held <= perHolder && leftTo(holder.class) - bytes >= needed;
    },
  };
}
