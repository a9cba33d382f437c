import { humanDuration } from '../../schema/client/duration.ts';
import type { ResultOf } from '../../schema/client/graphql.ts';
import { milestone, type milestoneFields } from './milestone.ts';

/** Tracked time in seconds. */
export interface Timed {
  readonly timeEstimate: number;
  readonly totalTimeSpent: number;
}

/** The estimate and the time spent, in seconds and as text; the text of 0 is null. */
export const timeStats = ({ timeEstimate, totalTimeSpent }: Timed) => ({
  time_estimate: timeEstimate,
  total_time_spent: totalTimeSpent,
  human_time_estimate: humanDuration(timeEstimate),
  human_total_time_spent: humanDuration(totalTimeSpent),
});

interface Issuable extends Timed {
  readonly milestone: ResultOf<typeof milestoneFields> | null;
}

/** What issues and merge requests compute alike. Undefined fields are not shown. */
export const computed = (record: Issuable) => ({
  milestone: record.milestone && milestone(record.milestone),
  time_stats: timeStats(record),
  timeEstimate: undefined,
  totalTimeSpent: undefined,
});
