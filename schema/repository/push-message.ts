import type { User } from '../../prisma/client.ts';
import {
  commitPayload,
  projectPayload,
  repositoryPayload,
  userPayload,
} from '../activity/payload.ts';
import type {
  PushedCommitPayload,
  PushPayload,
  RepositoryUpdatePayload,
} from '../hook-payloads/push.ts';
import type { Context } from '../kernel/context.ts';
import type { RefChange } from '../ports/git/address.ts';
import type { CommitRecord } from '../ports/git/history.ts';
import type { PushedProject, PushedRef } from './pushed-ref.ts';

type Parts = Pick<Context, 'baseUrl' | 'sshUrl' | 'git' | 'settings'>;

/** The maximum number of file names per commit. */
const mostFiles = 1_000;

/** The length that messages are cut to when the payload is full. */
const shortMessage = 1_024;

/** Milliseconds. */
const longestLook = 10_000;

/** The remaining payload size and time, shared by all branches of a push. */
export interface PayloadLimits {
  /**
   * The deadline for reading file names, which needs a process per commit while the pusher waits.
   */
  readonly until: number;
  /** Characters left for messages and file names. */
  characters: number;
}

export const payloadLimits = (): PayloadLimits => ({
  until: performance.now() + longestLook,
  characters: 2 ** 22,
});

/** The webhook payload of a pushed branch or tag, as far as the limits allow. */
export async function pushPayload(
  project: PushedProject,
  user: User,
  { change, kind, tip, commits, total }: PushedRef,
  room: PayloadLimits,
  parts: Parts,
): Promise<PushPayload> {
  const isAnnotated = kind === 'tag' && tip !== null && tip.id !== change.after;
  const annotation = isAnnotated ? await parts.git.annotation(project, change.after) : null;
  const commitPayloads: PushedCommitPayload[] = [];
  for (const commit of commits) {
    const message = truncateMessage(commit.message, room);
    const files = await filesOf(project, commit, room, parts.git);
    commitPayloads.push({ ...commitPayload({ ...commit, message }, project, parts), ...files });
  }
  const fields = {
    before: change.before,
    after: change.after,
    ref: change.ref,
    checkout_sha: tip?.id ?? null,
    message: annotation?.message ?? null,
    ...pusher(user, parts),
    project_id: project.id,
    project: projectPayload(project, parts),
    commits: commitPayloads,
    total_commits_count: total,
    repository: repositoryPayload(project, parts),
  };
  return kind === 'tag'
    ? { object_kind: 'tag_push', event_name: 'tag_push', ...fields }
    : { object_kind: 'push', event_name: 'push', ...fields };
}

/** The webhook payload of a push as a whole. */
export const repositoryUpdatePayload = (
  project: PushedProject,
  user: User,
  changes: readonly RefChange[],
  parts: Parts,
): RepositoryUpdatePayload => ({
  event_name: 'repository_update',
  ...pusher(user, parts),
  project_id: project.id,
  project: projectPayload(project, parts),
  changes: changes.map(({ before, after, ref }) => ({ before, after, ref })),
  refs: changes.map(({ ref }) => ref),
});

function pusher(user: User, parts: Parts) {
  const { name, username, avatar_url } = userPayload(user, parts);
  return {
    user_id: user.id,
    user_name: name,
    user_username: username,
    user_avatar: avatar_url,
  };
}

/** The names of the files that a commit adds, modifies and removes. */
async function filesOf(
  project: PushedProject,
  commit: CommitRecord,
  room: PayloadLimits,
  git: Context['git'],
) {
  const isLate = room.characters <= 0 || performance.now() > room.until;
  // a git failure must not stop the settling of a push
  const diffs = isLate
    ? null
    : await git
        .diff(project, { from: commit.parentIds[0] ?? null, to: commit.id })
        .catch(() => null);
  const files = (diffs?.files ?? []).slice(0, mostFiles).filter(({ oldPath, newPath }) => {
    room.characters -= oldPath.length + newPath.length;
    return room.characters > 0;
  });
  const added = files.filter(({ isNew, isRenamed }) => isNew || isRenamed);
  const removed = files.filter(({ isDeleted, isRenamed }) => isDeleted || isRenamed);
  const modified = files.filter((file) => !added.includes(file) && !removed.includes(file));
  return {
    added: added.map(({ newPath }) => newPath),
    modified: modified.map(({ newPath }) => newPath),
    removed: removed.map(({ oldPath }) => oldPath),
  };
}

function truncateMessage(message: string, room: PayloadLimits): string {
  room.characters -= message.length;
  return room.characters > 0 ? message : message.slice(0, shortMessage);
}
