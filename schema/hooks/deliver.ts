import { type HookSubscription, isSubscribed } from '../activity/notify-hooks.ts';
import type { Context } from '../kernel/context.ts';
import { storable } from '../kernel/storable.ts';
import type { HookResponse } from '../ports/hook-sender.ts';
import type { Attempt } from '../ports/jobs.ts';
import { deliveriesKeptSince } from './deliveries.ts';
import { openHook } from './secret.ts';

type Parts = Pick<Context, 'db' | 'hookSender' | 'secrets'>;

/** Expired deliveries deleted per delivery sent. */
const forgottenAtOnce = 100;

const unsubscribed = 'The webhook does not subscribe to this event any more';

/**
 * The delivery job: sends at least once, and retries if there is no response or the response asks
 * for a retry. Rejections and redirects are not retried. URL, token and subscription of the hook are
 * those of the attempt, not of the event.
 */
export async function deliverHook(
  id: number,
  { isLast, signal }: Attempt,
  { db, hookSender, secrets }: Parts,
): Promise<void> {
  const delivery = await db.hookDelivery.findUnique({
    where: { id, state: 'pending' },
    include: { hook: { include: { project: { select: { isRemoved: true } } } } },
  });
  if (!delivery || delivery.hook.project?.isRemoved) return;
  const { hook, event, payload } = delivery;
  const subscription = delivery.subscription as HookSubscription | null;
  if (subscription !== null && !isSubscribed(hook, subscription)) {
    const data = { state: 'failed', error: unsubscribed } as const;
    await db.hookDelivery.updateMany({ where: { id, state: 'pending' }, data });
    return;
  }
  const { token, ...signIn } = openHook(hook.tokenSealed, { secrets });
  const begun = performance.now();
  const message = {
    url: hook.url,
    ...signIn,
    verifiesSsl: hook.verifiesSsl,
    body: JSON.stringify(payload),
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Millrace',
      'X-Gitlab-Event': event,
      ...(token !== '' && { 'X-Gitlab-Token': token }),
    },
  };
  const answer = await hookSender.send(message, signal);
  // aborted by a shutdown, which says nothing about the receiver
  signal.throwIfAborted();
  const verdict = verdictOn(answer);
  const state = verdict === 'later' ? (isLast ? 'failed' : 'pending') : verdict;
  await db.hookDelivery.updateMany({
    where: { id },
    data: {
      state,
      attempts: { increment: 1 },
      attemptedAt: new Date(),
      duration: Math.round(performance.now() - begun),
      responseStatus: answer.outcome === 'answered' ? answer.status : null,
      responseBody: answer.outcome === 'answered' ? storable(answer.body) : null,
      error: answer.outcome === 'failed' ? answer.error : null,
    },
  });
  await deleteExpiredDeliveries(db);
  // the last failure is recorded with the delivery: it is the receiver's, not the job's
  if (verdict === 'later' && !isLast) throw new Error(`hook ${hook.id} did not take its message`);
}

function verdictOn(answer: HookResponse): 'delivered' | 'failed' | 'later' {
  if (answer.outcome === 'failed') return answer.isPassing ? 'later' : 'failed';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 500 || status === 408 || status === 429 ? 'later' : 'failed';
}

/** Deletes more deliveries than are added, so that at most a week's are kept. */
async function deleteExpiredDeliveries(db: Parts['db']): Promise<void> {
  await db.$executeRaw`
    DELETE FROM hook_deliveries WHERE id IN (
      SELECT id FROM hook_deliveries WHERE created_at < ${deliveriesKeptSince()}
      ORDER BY created_at LIMIT ${forgottenAtOnce} FOR UPDATE SKIP LOCKED)`;
}
