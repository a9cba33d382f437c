/** The states of an external commit status. */
export const commitStates = ['pending', 'running', 'success', 'failed', 'canceled'] as const;

export type CommitState = (typeof commitStates)[number];

const finished: ReadonlySet<CommitState> = new Set(['success', 'failed', 'canceled']);

/** Whether the status is final; the next one of the same name then starts a new run. */
export const isFinished = (state: CommitState): boolean => finished.has(state);

/**
 * Why an unfinished status may not change to `to`, or null. States only move forward: pending,
 * running, finished (v4-behaviour 3.7).
 */
export function transitionFault(from: CommitState, to: CommitState): string | null {
  if (isFinished(to) || (from === 'pending' && to === 'running')) return null;
  const event = to === 'pending' ? 'enqueue' : 'run';
  return (
    `Cannot transition status via :${event} from :${from} ` +
    `(Reason(s): Status cannot transition via "${event}")`
  );
}
