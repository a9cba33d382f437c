import type { FieldErrors } from '../kernel/errors.ts';
import { blankOrTooLong } from '../kernel/lengths.ts';

/** The new values of a milestone; omitted fields stay unchanged. */
export interface MilestoneChange {
  readonly title?: string;
  readonly description?: string | null;
  /** Null clears it. */
  readonly startDate?: Date | null;
  readonly dueDate?: Date | null;
  readonly state?: 'active' | 'closed';
}

const longestTitle = 255;

export const titleTaken = {
  title: ['already being used for another group or project milestone.'],
} as const;

/** The validation errors of a milestone after its change (v4-behaviour 3.9). */
export const milestoneFaults = ({ title, startDate, dueDate }: MilestoneChange): FieldErrors => ({
  title: title === undefined ? [] : blankOrTooLong(title, longestTitle),
  startDate: startDate && dueDate && startDate > dueDate ? ["can't be greater than due date"] : [],
});
