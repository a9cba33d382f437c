/** The result of a mutation that returns no record: true when the work is done. */
export async function done(work: Promise<unknown>): Promise<boolean> {
  await work;
  return true;
}

/** The record; throws `refusal` if there is none. */
export async function orThrow<T>(record: Promise<T | null>, refusal: () => Error): Promise<T> {
  const existing = await record;
  if (existing === null) throw refusal();
  return existing;
}
