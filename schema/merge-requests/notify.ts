import type { Transaction } from '../../prisma/client.ts';
import { notifyHooks } from '../activity/notify-hooks.ts';
import { recordEvent } from '../activity/record.ts';
import type { Context } from '../kernel/context.ts';
import {
  type MergeRequestAction,
  type MergeRequestEvent,
  mergeRequestPayload,
} from './hook-payload.ts';

/** What of it is an event; other changes are told to hooks only. */
const eventActions = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  update: null,
} as const satisfies Record<MergeRequestAction, string | null>;

/**
 * Tells of what somebody did to a merge request, in the transaction that did it and after it was
 * written: an event of the project and the person, and a message to the hooks that want to know.
 */
export async function notifyMergeRequestChange(
  tx: Transaction,
  told: MergeRequestEvent,
  ctx: Pick<Context, 'jobs' | 'settings' | 'baseUrl'>,
): Promise<void> {
  const { id, userId } = told;
  const { projectId, iid, text } = await tx.mergeRequest.findUniqueOrThrow({
    where: { id },
    select: { projectId: true, iid: true, text: { select: { title: true } } },
  });
  const action = eventActions[told.action];
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
    () => mergeRequestPayload(tx, told, ctx),
  );
}
