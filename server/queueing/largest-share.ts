/** Of the holders of places, in the order in which they came, the first one that may be ended and whose key has most of them. */
export function oldestOfLargestShare<Holder>(
  holders: readonly Holder[],
  keyOf: (holder: Holder) => string,
  mayEnd: (holder: Holder) => boolean,
): Holder | undefined {
  const sizes = new Map<string, number>();
  for (const holder of holders) sizes.set(keyOf(holder), (sizes.get(keyOf(holder)) ?? 0) + 1);
  const sizeOf = (holder: Holder) => sizes.get(keyOf(holder)) ?? 0;
  let oldest: Holder | undefined;
  for (const holder of holders) {
    if (mayEnd(holder) && (!oldest || sizeOf(holder) > sizeOf(oldest))) oldest = holder;
  }
  return oldest;
}
