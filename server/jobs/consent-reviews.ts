import type { Logger } from 'pino';
import type { Context } from '../../schema/kernel/context.ts';
import { reviewApprovals, reviewAutomaticMerges } from '../../schema/merging/review-consents.ts';

/** Above this many waiting users, all automatic merges are reviewed instead. */
const mostUsers = 1000;

export type ConsentReviews = ReturnType<typeof consentReviews>;

/**
 * Reviews the automatic merges and approvals of users whose permissions have changed, one user after
 * the other. A notification that is lost delays only the system note: permissions are checked again
 * when a merge request is merged.
 */
export function consentReviews(db: Context['db'], log: Logger) {
  const changed = new Set<number | null>();
  let running: Promise<void> | null = null;
  let isStopped = false;

  const review = async () => {
    for (const userId of changed) {
      if (isStopped) return;
      changed.delete(userId);
      await reviewAutomaticMerges(userId, { db });
      if (userId !== null) await reviewApprovals(userId, { db });
    }
  };
  const run = () => {
    if (isStopped || running !== null || changed.size === 0) return;
    running = review()
      .catch((error: unknown) => log.error({ err: error }, 'automatic merges'))
      .finally(() => {
        running = null;
        run();
      });
  };

  return {
    /** Handles a notification: a user's id, or `*` for all users. */
    viewersChanged(payload: string): void {
      // a credential without a user
      if (payload === '') return;
      if (changed.size < mostUsers) changed.add(payload === '*' ? null : Number(payload));
      else {
        changed.clear();
        changed.add(null);
      }
      run();
    },
    /** Waits for the current review. */
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}
