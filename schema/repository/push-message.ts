import type { Prisma, User } from '../../prisma/client.ts';
import {
  commitPayload,
  projectPayload,
  repositoryPayload,
  userPayload,
} from '../activity/payload.ts';
import type { Context } from '../kernel/context.ts';
import type { RefChange } from '../ports/git.ts';
import type { CommitRecord } from '../ports/git-history.ts';
import type { PushedProject, PushedRef } from './pushed-ref.ts';

type Parts = Pick<Context, 'baseUrl' | 'git' | 'settings'>;

/** Of one that changes more files no more are named. */
const mostFiles = 1_000;

/** What hooks are told of a branch or tag that was pushed. */
export async function pushMessage(
  project: PushedProject,
  user: User,
  { change, kind, tip, commits, total }: PushedRef,
  parts: Parts,
): Promise<Prisma.InputJsonObject> {
  const type = kind === 'tag' ? 'tag_push' : 'push';
  const isAnnotated = kind === 'tag' && tip !== null && tip.id !== change.after;
  const annotation = isAnnotated ? await parts.git.annotation(project, change.after) : null;
  const told: Prisma.InputJsonObject[] = [];
  for (const commit of commits) {
    const files = await filesOf(project, commit, parts.git);
    told.push({ ...commitPayload(commit, project, parts), ...files });
  }
  return {
    object_kind: type,
    event_name: type,
    before: change.before,
    after: change.after,
    ref: change.ref,
    checkout_sha: tip?.id ?? null,
    message: annotation?.message ?? null,
    ...pusher(user, parts),
    project_id: project.id,
    project: projectPayload(project, parts),
    commits: told,
    total_commits_count: total,
    repository: repositoryPayload(project, parts),
  };
}

/** What hooks are told of a push as a whole. */
export const repositoryMessage = (
  project: PushedProject,
  user: User,
  changes: readonly RefChange[],
  parts: Parts,
): Prisma.InputJsonObject => ({
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

/** The names of the files that a commit adds, changes and removes. */
async function filesOf(project: PushedProject, commit: CommitRecord, git: Context['git']) {
  const { files } = await git.diff(project, { from: commit.parentIds[0] ?? null, to: commit.id });
  const some = files.slice(0, mostFiles);
  const added = some.filter(({ isNew, isRenamed }) => isNew || isRenamed);
  const removed = some.filter(({ isDeleted, isRenamed }) => isDeleted || isRenamed);
  const modified = some.filter((file) => !added.includes(file) && !removed.includes(file));
  return {
    added: added.map(({ newPath }) => newPath),
    modified: modified.map(({ newPath }) => newPath),
    removed: removed.map(({ oldPath }) => oldPath),
  };
}
