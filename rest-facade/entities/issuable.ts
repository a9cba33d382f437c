import { humanDuration } from '../../schema/client/duration.ts';
import type { ResultOf } from '../../schema/client/graphql.ts';
import { entity, s, shaped, shapeOf } from '../kernel/shape.ts';
import { milestone, type milestoneFields } from './milestone.ts';

/** Tracked time in seconds. */
export interface Timed {
  readonly timeEstimate: number;
  readonly totalTimeSpent: number;
}

/** The estimate and the time spent, in seconds and as text; the text of 0 is null. */
export const timeStats = shaped(
  entity('TimeStats', {
    time_estimate: s.int().describe('The estimate in seconds.'),
    total_time_spent: s.int().describe('The time spent in seconds.'),
    human_time_estimate: s.text().nullable().describe('The estimate as text: `1h 30m`.'),
    human_total_time_spent: s.text().nullable().describe('The time spent as text.'),
  }),
  ({ timeEstimate, totalTimeSpent }: Timed) => ({
    time_estimate: timeEstimate,
    total_time_spent: totalTimeSpent,
    human_time_estimate: humanDuration(timeEstimate),
    human_total_time_spent: humanDuration(totalTimeSpent),
  }),
);

interface Issuable extends Timed {
  readonly milestone: ResultOf<typeof milestoneFields> | null;
}

/** The selected fields that `computed` replaces, and the shapes of what it adds. */
export const replaced = ['timeEstimate', 'totalTimeSpent'] as const;
export const computedShapes = {
  milestone: shapeOf(milestone).nullable(),
  time_stats: shapeOf(timeStats).describe('The tracked time.'),
};

/** What issues and merge requests compute alike. Undefined fields are not shown. */
export const computed = (record: Issuable) => ({
  milestone: record.milestone && milestone(record.milestone),
  time_stats: timeStats(record),
  timeEstimate: undefined,
  totalTimeSpent: undefined,
});
