import type { Transaction } from '../../prisma/client.ts';
import { type HookEvent, hasSubscribers, notifyHooks } from '../activity/notify-hooks.ts';
import { type EventInput, recordEvent } from '../activity/record.ts';
import type { Context } from '../kernel/context.ts';
import { storable } from '../kernel/storable.ts';
import type { RefChange } from '../ports/git/address.ts';
import { payloadLimits, pushPayload, repositoryUpdatePayload } from './push-message.ts';
import { type PushedProject, type PushedRef, pushedRef } from './pushed-ref.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'db' | 'git' | 'jobs' | 'settings'>;

/** The maximum number of references per push that are reported. */
const maxRefs = 100;

interface Message extends Omit<HookEvent, 'projectId'> {
  readonly payload: Parameters<typeof notifyHooks>[3];
}

/** The events and webhook payloads of a push. */
export interface PushEvents {
  readonly events: readonly EventInput[];
  readonly messages: readonly Message[];
}

/**
 * Reads the events of a push before the transaction that records them: the change of each branch
 * and tag, and the webhook payloads if a hook is subscribed. Pushes without a user, such as
 * imports, have none.
 */
export async function readPushEvents(
  project: PushedProject,
  userId: number | null,
  changes: readonly RefChange[],
  parts: Parts,
): Promise<PushEvents> {
  const user = userId === null ? null : await parts.db.user.findUnique({ where: { id: userId } });
  const pushedRefs = changes
    .filter(({ ref }) => /^refs\/(heads|tags)\//.test(ref))
    .slice(0, maxRefs);
  if (!user || pushedRefs.length === 0) return { events: [], messages: [] };
  const [hasBranchHooks, hasTagHooks, hasUpdateHooks] = await Promise.all(
    (['onPush', 'onTagPush', 'onRepositoryUpdate'] as const).map((subscription) =>
      hasSubscribers(parts.db, project.id, [subscription]),
    ),
  );
  const events: EventInput[] = [];
  const messages: Message[] = [];
  const room = payloadLimits();
  for (const change of pushedRefs) {
    const ref = await pushedRef(project, change, parts.git);
    events.push(eventOf(ref, project.id, user.id));
    const isTag = ref.kind === 'tag';
    // skips reading commits that no hook needs
    if (!(isTag ? hasTagHooks : hasBranchHooks)) continue;
    const payload = await pushPayload(project, user, ref, room, parts);
    messages.push({
      subscription: isTag ? 'onTagPush' : 'onPush',
      event: isTag ? 'Tag Push Hook' : 'Push Hook',
      payload: async () => payload,
    });
  }
  if (hasUpdateHooks) {
    const update = repositoryUpdatePayload(project, user, pushedRefs, parts);
    messages.push({
      subscription: 'onRepositoryUpdate',
      event: 'Repository Update Hook',
      payload: async () => update,
    });
  }
  return { events, messages };
}

/** Records the events and enqueues the webhooks, in the transaction that settles the push. */
export async function recordPushEvents(
  tx: Transaction,
  projectId: number,
  { events, messages }: PushEvents,
  { jobs }: Pick<Parts, 'jobs'>,
): Promise<void> {
  for (const event of events) await recordEvent(tx, event);
  for (const { subscription, event, payload } of messages) {
    await notifyHooks(tx, jobs, { projectId, subscription, event }, payload);
  }
}

const eventOf = (pushed: PushedRef, projectId: number, authorId: number): EventInput => ({
  projectId,
  authorId,
  action: 'pushed',
  push: {
    commitCount: pushed.total,
    action: pushed.action,
    refType: pushed.kind,
    commitFrom: pushed.action === 'created' ? null : pushed.change.before,
    commitTo: pushed.action === 'removed' ? null : pushed.change.after,
    ref: pushed.name,
    commitTitle: titleOf(pushed),
  },
});

const longestTitle = 70;

function titleOf({ commits }: PushedRef): string | null {
  const message = commits.at(-1)?.message;
  if (message === undefined) return null;
  const line = storable(message.split('\n', 1)[0] ?? '');
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
}
