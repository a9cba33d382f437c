/** The times of what the soak does to the service, in milliseconds of `performance.now()`. */
export interface Disturbances {
  readonly kills: number[];
  readonly restarts: number[];
}

/** Milliseconds after a kill in which connections may break: requests of the worker, and those it had accepted. */
const afterKill = 5_000;
/** Milliseconds after a restart of PostgreSQL in which requests may be refused with 503. */
const afterRestart = 30_000;

/** What happened to the operations of one kind. */
interface Kind {
  readonly outcomes: Map<string, number>;
  readonly times: number[];
}

/** Counts operations by kind and outcome, and the outcomes that nothing excuses. */
export function outcomesOf({ kills, restarts }: Disturbances) {
  const kinds = new Map<string, Kind>();
  const failures: string[] = [];
  const isWithin = (begun: number, moments: readonly number[], limit: number) =>
    moments.some((at) => at <= performance.now() && begun <= at + limit);

  const count = (kind: string, outcome: string, begun: number) => {
    const entry: Kind = kinds.get(kind) ?? { outcomes: new Map<string, number>(), times: [] };
    const { outcomes, times } = entry;
    kinds.set(kind, entry);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    times.push(performance.now() - begun);
  };

  return {
    kinds,
    failures,
    /** An operation that was answered, with its status. */
    answered: (kind: string, status: number, begun: number, text: string) => {
      count(kind, String(status), begun);
      const isExcused = status < 500 || (status === 503 && isWithin(begun, restarts, afterRestart));
      if (!isExcused) failures.push(`${kind}: ${status} ${text.slice(0, 200)}`);
    },
    /** An operation without an answer: its effect is unknown. */
    broken: (kind: string, begun: number, error: unknown) => {
      count(kind, 'no answer', begun);
      const isExcused =
        isWithin(begun, kills, afterKill) || isWithin(begun, restarts, afterRestart);
      if (!isExcused)
        failures.push(`${kind}: ${String(error)} ${String((error as Error).cause ?? '')}`);
    },
    /** Something that must not happen. */
    fail: (text: string) => {
      failures.push(text);
    },
  };
}

export type Outcomes = ReturnType<typeof outcomesOf>;
