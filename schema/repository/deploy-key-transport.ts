import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { canPushCode, isImportUnfinished } from '../projects/policy.ts';
import { levelsOf } from '../sessions/levels.ts';
import {
  authorizeTransport,
  isOpen,
  type RunningTransport,
  type TransportAnswer,
  type TransportRequest,
  transportProject,
} from './transport.ts';

/** A deploy key pushes like a developer at most: not to protected branches. */
const pushLevel = Access.developer;

const mayNotPush = {
  outcome: 'denied',
  text: 'This deploy key does not have write access to this project.',
} as const;

/**
 * Whether a deploy key may fetch from a project or push to it: any of its projects, and whatever anonymous
 * users may fetch. Its pushes count as those of the user who allowed them, and end with the right of that
 * user to push.
 */
export async function authorizeDeployKey(
  keyId: number,
  request: TransportRequest | RunningTransport,
  ctx: Pick<Context, 'db' | 'settings' | 'baseUrl' | 'sshUrl'>,
): Promise<TransportAnswer> {
  const project = await ctx.db.project.findFirst({
    where: {
      ...transportProject(request),
      isRemoved: false,
      deployKeys: { some: { keyId } },
    },
    select: {
      id: true,
      storage: true,
      diskPath: true,
      isArchived: true,
      visibility: true,
      importStatus: true,
      deployKeys: { where: { keyId }, select: { userId: true } },
    },
  });
  const [use] = project?.deployKeys ?? [];
  if (!project || !use || !isOpen(request.protocol, ctx.settings)) {
    const anonymous = await authorizeTransport(request, { ...ctx, viewer: null });
    // the client has a key, so it needs no credentials
    return anonymous.outcome === 'unauthenticated'
      ? { outcome: 'missing', text: 'The project you were looking for could not be found.' }
      : anonymous;
  }
  const { id: projectId, storage, diskPath } = project;
  const granted = { outcome: 'granted', repository: { storage, diskPath }, projectId } as const;
  if (request.service === 'git-upload-pack') return { ...granted, userId: null };
  const level = await levelOfDeployKey(keyId, projectId, ctx);
  if (use.userId === null || !canPushCode(level, project)) return mayNotPush;
  if (isImportUnfinished(project)) {
    return {
      outcome: 'denied',
      text: 'The repository is not complete yet. Please push when its import has finished.',
    };
  }
  return { ...granted, userId: use.userId };
}

/**
 * The level of a push by a deploy key, that of the user who allowed its pushes at most; read again when its
 * pack has arrived.
 */
export async function levelOfDeployKey(
  keyId: number,
  projectId: number,
  { db }: Pick<Context, 'db'>,
): Promise<Access> {
  const use = await db.deployKeyProject.findUnique({
    where: { projectId_keyId: { projectId, keyId } },
    select: { canPush: true, userId: true },
  });
  if (!use?.canPush || use.userId === null) return Access.none;
  const [user, project] = await Promise.all([
    levelsOf(db, use.userId),
    db.project.findUnique({
      relationLoadStrategy: 'join',
      where: { id: projectId },
      select: levelSelection({ id: use.userId }),
    }),
  ]);
  if (!user || !project) return Access.none;
  return Math.min(pushLevel, levelInProject(user, project)) as Access;
}
