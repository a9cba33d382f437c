import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import type { JobPayloads } from '../ports/jobs.ts';

/**
 * Deletes a dead letter with what waits for its job: a push that stays in the ledger would hold up
 * moves of its repository for ever. Throws NOT_FOUND if another user was faster.
 */
export const discardDeadLetter = (id: number, { db }: Pick<Context, 'db'>): Promise<void> =>
  db.$transaction(async (tx) => {
    const deadLetter = await tx.deadLetter.findUnique({ where: { id } });
    const { count } = await tx.deadLetter.deleteMany({ where: { id } });
    if (!deadLetter || count === 0) throw notFound('Dead letter');
    if (deadLetter.kind === 'settle-push') {
      const { pushId } = deadLetter.payload as unknown as JobPayloads['settle-push'];
      await tx.push.deleteMany({ where: { id: BigInt(pushId), settleAt: null } });
    }
    if (deadLetter.kind === 'settle-push-step') {
      const { stepId } = deadLetter.payload as unknown as JobPayloads['settle-push-step'];
      await tx.pushStep.deleteMany({ where: { id: BigInt(stepId) } });
    }
  });
