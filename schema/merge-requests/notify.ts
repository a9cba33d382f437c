import type { Transaction } from '../../prisma/client.ts';
import { notifyHooks } from '../activity/notify-hooks.ts';
import { recordEvent } from '../activity/record.ts';
import type { Context } from '../kernel/context.ts';
import {
  type MergeRequestAction,
  type MergeRequestEvent,
  mergeRequestPayload,
} from './hook-payload.ts';

/** The actions that create an event; hooks are notified of other changes too. */
const eventActions = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  update: null,
} as const satisfies Record<MergeRequestAction, string | null>;

/**
 * Records the event of a change and notifies the subscribed hooks, in the transaction of the change
 * and after its writes.
 */
export async function notifyMergeRequestChange(
  tx: Transaction,
  event: MergeRequestEvent,
  ctx: Pick<Context, 'jobs' | 'settings' | 'baseUrl' | 'sshUrl'>,
): Promise<void> {
  const { id, userId } = event;
  const { projectId, iid, text } = await tx.mergeRequest.findUniqueOrThrow({
    where: { id },
    select: { projectId: true, iid: true, text: { select: { title: true } } },
  });
  const action = eventActions[event.action];
  if (action && userId !== null) {
    await recordEvent(tx, {
      projectId,
      authorId: userId,
      action,
      target: 'merge_request',
      targetId: id,
      targetIid: iid,
      targetTitle: text?.title ?? '',
    });
  }
  await notifyHooks(
    tx,
    ctx.jobs,
    { projectId, subscription: 'onMergeRequest', event: 'Merge Request Hook' },
    () => mergeRequestPayload(tx, event, ctx),
  );
}
