import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { WebhookEvent, WebhookPayload } from '../hook-payloads/index.ts';
import { storable } from '../kernel/storable.ts';
import type { Jobs } from '../ports/jobs.ts';

/** The column that subscribes a hook to each kind of event. */
const subscriptionColumns = {
  onPush: 'on_push',
  onTagPush: 'on_tag_push',
  onIssue: 'on_issue',
  onConfidentialIssue: 'on_confidential_issue',
  onMergeRequest: 'on_merge_request',
  onNote: 'on_note',
  onConfidentialNote: '(on_note AND on_confidential_issue)',
  onPipeline: 'on_pipeline',
  onJob: 'on_job',
  onWikiPage: 'on_wiki_page',
  onRepositoryUpdate: 'on_repository_update',
} as const;

export type HookSubscription = keyof typeof subscriptionColumns;

export interface HookEvent {
  readonly projectId: number;
  readonly subscription: HookSubscription;
  /** As in the header: `Push Hook`. System hooks always get `System Hook`. */
  readonly event: WebhookEvent;
}

/** The subscribed hooks of a project, and the subscribed system hooks: rows of ids. */
export const subscribedHooks = (
  projectId: Prisma.Sql | number,
  subscription: HookSubscription,
): Prisma.Sql => Prisma.sql`
  SELECT id FROM web_hooks
  WHERE (project_id = ${projectId} OR project_id IS NULL) AND ${Prisma.raw(subscriptionColumns[subscription])}`;

/** Whether a hook is subscribed to one of these. */
export async function hasSubscribers(
  tx: Transaction,
  projectId: number,
  some: readonly HookSubscription[],
): Promise<boolean> {
  const condition = some.map((subscription) => subscriptionColumns[subscription]).join(' OR ');
  const [hook] = await tx.$queryRaw<unknown[]>`
    SELECT id FROM web_hooks
    WHERE (project_id = ${projectId} OR project_id IS NULL) AND (${Prisma.raw(condition)}) LIMIT 1`;
  return hook !== undefined;
}

/**
 * Stores a delivery for every subscribed hook of the project and every subscribed system hook, in
 * the transaction of the change, and enqueues a job to send each. Calls `payload` only if there is
 * one.
 */
export async function notifyHooks(
  tx: Transaction,
  jobs: Jobs,
  { projectId, subscription, event }: HookEvent,
  payload: () => Promise<WebhookPayload>,
): Promise<void> {
  const hooks = await tx.$queryRaw<{ id: number }[]>`${subscribedHooks(projectId, subscription)}`;
  if (hooks.length === 0) return;
  const ids = hooks.map(({ id }) => id);
  await writeDeliveries(tx, jobs, ids, { event, subscription }, await payload());
}

type Flags = Readonly<Record<Exclude<HookSubscription, 'onConfidentialNote'>, boolean>>;

/** Whether a hook is subscribed to an event. */
export const isSubscribed = (hook: Flags, subscription: HookSubscription): boolean =>
  subscription === 'onConfidentialNote'
    ? hook.onNote && hook.onConfidentialIssue
    : hook[subscription];

/** The event of a delivery. */
interface DeliveredEvent {
  readonly event: WebhookEvent;
  /** The subscription that it is for; null if a user sends it, whatever the hook subscribes to. */
  readonly subscription: HookSubscription | null;
}

/**
 * Stores a delivery for each of these hooks that still exists, and enqueues its job; two
 * statements.
 */
export async function writeDeliveries(
  tx: Transaction,
  jobs: Jobs,
  hookIds: readonly number[],
  { event, subscription }: DeliveredEvent,
  payload: WebhookPayload,
): Promise<void> {
  const delivery = await tx.$queryRaw<{ deliveryId: number; hookId: number }[]>`
    WITH there AS (
      SELECT id, project_id FROM web_hooks
      WHERE id = ANY(${[...hookIds]}::int[]) ORDER BY id FOR KEY SHARE
    )
    INSERT INTO hook_deliveries (hook_id, event, subscription, payload)
    SELECT id, CASE WHEN project_id IS NULL THEN 'System Hook' ELSE ${event} END,
      ${subscription}::text, ${storableJson(payload)}::jsonb
    FROM there RETURNING id AS "deliveryId", hook_id AS "hookId"`;
  await jobs.enqueueAll('deliver-hook', delivery, tx);
}

/** As JSON that PostgreSQL can store: texts from a repository may contain any character. */
const storableJson = (payload: WebhookPayload): string =>
  JSON.stringify(payload, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
