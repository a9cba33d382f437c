import type { Transaction, User } from '../../prisma/client.ts';
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

export interface Message extends Omit<HookEvent, 'projectId'> {
  readonly payload: Parameters<typeof notifyHooks>[3];
}

/** What events and webhook payloads of a push are made of. */
interface PushedRefs {
  readonly project: PushedProject;
  readonly user: User;
  readonly refs: readonly PushedRef[];
}

/**
 * Reads the changed branches and tags of a push, before the transaction that records them. Null for
 * nothing to record: pushes without a user, such as imports, have no events.
 */
export async function readPushedRefs(
  project: PushedProject,
  userId: number | null,
  changes: readonly RefChange[],
  { db, git }: Pick<Parts, 'db' | 'git'>,
): Promise<PushedRefs | null> {
  const user = userId === null ? null : await db.user.findUnique({ where: { id: userId } });
  const shown = changes.filter(({ ref }) => /^refs\/(heads|tags)\//.test(ref)).slice(0, maxRefs);
  if (!user || shown.length === 0) return null;
  const refs: PushedRef[] = [];
  for (const change of shown) refs.push(await pushedRef(project, change, git));
  return { project, user, refs };
}

/** The webhook payloads of a push; none if no hook is subscribed. */
export async function readMessages(
  pushed: PushedRefs | null,
  parts: Parts,
): Promise<readonly Message[]> {
  if (!pushed) return [];
  const { project, user, refs } = pushed;
  const [hasBranchHooks, hasTagHooks, hasUpdateHooks] = await Promise.all(
    (['onPush', 'onTagPush', 'onRepositoryUpdate'] as const).map((subscription) =>
      hasSubscribers(parts.db, project.id, [subscription]),
    ),
  );
  const messages: Message[] = [];
  const room = payloadLimits();
  for (const ref of refs) {
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
    const changes = refs.map(({ change }) => change);
    const update = repositoryUpdatePayload(project, user, changes, parts);
    messages.push({
      subscription: 'onRepositoryUpdate',
      event: 'Repository Update Hook',
      payload: async () => update,
    });
  }
  return messages;
}

/** Records the events of a push and the project's last activity. */
export async function recordPushEvents(
  tx: Transaction,
  projectId: number,
  pushed: PushedRefs | null,
): Promise<void> {
  await tx.project.updateMany({ where: { id: projectId }, data: { lastActivityAt: new Date() } });
  for (const ref of pushed?.refs ?? [])
    await recordEvent(tx, eventOf(ref, projectId, pushed?.user.id ?? 0));
}

/** Enqueues the webhooks of a push. */
export async function sendPushMessages(
  tx: Transaction,
  projectId: number,
  messages: readonly Message[],
  { jobs }: Pick<Parts, 'jobs'>,
): Promise<void> {
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
  const line = message.split('\n', 1)[0] ?? '';
  const title = line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…` : line;
  // after the cut, which may split a pair of surrogates
  return storable(title);
}
