/** What a service outside says of a commit. */
export const commitStates = ['pending', 'running', 'success', 'failed', 'canceled'] as const;

export type CommitState = (typeof commitStates)[number];

const finished: ReadonlySet<CommitState> = new Set(['success', 'failed', 'canceled']);

/** Whether anything is still to come; the next word of the same service is then about the same run. */
export const isFinished = (state: CommitState): boolean => finished.has(state);

/**
 * Why an unfinished status may not get `to` now, or null. A run goes forward only: it waits, runs,
 * ends (v4-behaviour 3.7).
 */
export function moveFault(from: CommitState, to: CommitState): string | null {
  if (isFinished(to) || (from === 'pending' && to === 'running')) return null;
  const event = to === 'pending' ? 'enqueue' : 'run';
  return (
    `Cannot transition status via :${event} from :${from} ` +
    `(Reason(s): Status cannot transition via "${event}")`
  );
}
