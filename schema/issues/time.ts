import type { Context } from '../kernel/context.ts';
import { secondsOf } from '../kernel/duration.ts';
import { invalid } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { sentences } from '../system-notes/sentences.ts';
import { findIssue, signedIn } from './find.ts';
import { canAdminIssues } from './policy.ts';
import { type TakenIssue, takeIssue } from './take.ts';

/** What a column holds. */
const most = 2 ** 31 - 1;

interface TimeChange {
  readonly data: { readonly timeEstimate: number } | { readonly totalTimeSpent: number };
  readonly sentence: string;
}

/** How long an issue is expected to take, in words such as `3h30m`; reporters only (v4-behaviour 3.3). */
export function setTimeEstimate(ref: string, iid: number, duration: string, ctx: Context) {
  const timeEstimate = secondsOf(duration);
  if (timeEstimate === null || timeEstimate < 0 || timeEstimate > most) throw badDuration();
  return changeTime(ref, iid, ctx, (before) =>
    before.timeEstimate === timeEstimate
      ? null
      : { data: { timeEstimate }, sentence: sentences.estimated(timeEstimate) },
  );
}

/** Adds to the time that it took, or takes away from it with a minus; it never goes below none. */
export function addSpentTime(ref: string, iid: number, duration: string, ctx: Context) {
  const seconds = secondsOf(duration);
  if (seconds === null || seconds === 0) throw badDuration();
  return changeTime(ref, iid, ctx, (before) => {
    const totalTimeSpent = before.totalTimeSpent + seconds;
    if (totalTimeSpent < 0) {
      throw invalid({ time_spent: ['Time to subtract exceeds the total time spent'] });
    }
    if (totalTimeSpent > most) throw badDuration();
    return { data: { totalTimeSpent }, sentence: sentences.spent(seconds) };
  });
}

/** Forgets all time that it took. */
export const resetSpentTime = (ref: string, iid: number, ctx: Context) =>
  changeTime(ref, iid, ctx, (before) =>
    before.totalTimeSpent === 0
      ? null
      : { data: { totalTimeSpent: 0 }, sentence: sentences.spentNothing },
  );

const badDuration = () => invalid({ duration: ['is invalid'] });

/** Gives the issue's id; null means that nothing is different. */
async function changeTime(
  ref: string,
  iid: number,
  ctx: Context,
  change: (before: TakenIssue) => TimeChange | null,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id } = await findIssue(ref, iid, ctx, (_viewer, level) => canAdminIssues(level));
  await transact(ctx.db, async (tx) => {
    const changed = change(await takeIssue(tx, id));
    if (!changed) return;
    await tx.issue.update({ where: { id }, data: changed.data, select: { id: true } });
    await recordSystemNotes(tx, { issueId: id }, viewer.id, [changed.sentence]);
  });
  return id;
}
