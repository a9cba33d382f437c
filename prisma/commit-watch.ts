export interface CommitWatch {
  /** A COMMIT is sent; the result is called when it has failed or succeeded. */
  sent(): () => void;
  /** The database has committed, or has refused to. */
  answered(): void;
  /** Whether a COMMIT has waited for long, and none has been answered since it was sent. */
  isStuck(): boolean;
  /** While they are stuck: whether the caller is the one that tries now. */
  mayTry(): boolean;
}

/** Finds out that the database commits nothing, as while its disk hangs or its synchronous standby is missing. */
export function commitWatch(stuckAfter: number): CommitWatch {
  const pending = new Set<{ readonly since: number }>();
  let answeredAt = performance.now();
  let triedAt = 0;
  /** Also after the connections of the COMMITs have been closed. */
  let isStuck = false;
  const look = () => {
    for (const { since } of pending)
      isStuck ||= answeredAt < since && performance.now() - since > stuckAfter;
    return isStuck;
  };
  return {
    sent: () => {
      const commit = { since: performance.now() };
      pending.add(commit);
      return () => {
        look();
        pending.delete(commit);
      };
    },
    answered: () => {
      answeredAt = performance.now();
      isStuck = false;
    },
    isStuck: look,
    mayTry: () => {
      const now = performance.now();
      if (now - triedAt < stuckAfter) return false;
      triedAt = now;
      return true;
    },
  };
}
