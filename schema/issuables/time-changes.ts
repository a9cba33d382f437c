import { parseDuration } from '../kernel/duration.ts';
import { invalid } from '../kernel/errors.ts';
import { sentences } from '../system-notes/sentences.ts';

/** The largest value of the column. */
const largestValue = 2 ** 31 - 1;

interface TrackedTime {
  readonly timeEstimate: number;
  readonly totalTimeSpent: number;
}

interface TimeDifference {
  readonly data: { readonly timeEstimate: number } | { readonly totalTimeSpent: number };
  readonly sentence: string;
}

/** The changed column and its system note; null if nothing changes. */
export type TimeChange = (before: TrackedTime) => TimeDifference | null;

/** Sets the estimate from a duration such as `3h30m` (v4-behaviour 3.3). */
export function timeEstimated(duration: string): TimeChange {
  const timeEstimate = parseDuration(duration);
  if (timeEstimate === null || timeEstimate < 0 || timeEstimate > largestValue) throw badDuration();
  return (before) =>
    before.timeEstimate === timeEstimate
      ? null
      : { data: { timeEstimate }, sentence: sentences.estimated(timeEstimate) };
}

/** Adds to the time spent; a negative duration subtracts, but not below 0. */
export function timeSpent(duration: string): TimeChange {
  const seconds = parseDuration(duration);
  if (seconds === null || seconds === 0) throw badDuration();
  return (before) => {
    const totalTimeSpent = before.totalTimeSpent + seconds;
    if (totalTimeSpent < 0) {
      throw invalid({ base: ['Time to subtract exceeds the total time spent'] });
    }
    if (totalTimeSpent > largestValue) throw badDuration();
    return { data: { totalTimeSpent }, sentence: sentences.spent(seconds) };
  };
}

/** Resets the time spent to 0. */
export const timeReset: TimeChange = (before) =>
  before.totalTimeSpent === 0
    ? null
    : { data: { totalTimeSpent: 0 }, sentence: sentences.spentNothing };

const badDuration = () => invalid({ duration: ['is invalid'] });
