/** Lets concurrent calls of `work` share one run, and its result or error. */
export function sharePending<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | null = null;
  return () => {
    pending ??= work().finally(() => {
      pending = null;
    });
    return pending;
  };
}
