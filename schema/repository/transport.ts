import type { Context, Viewer } from '../kernel/context.ts';
import { routeKey } from '../kernel/names.ts';
import type { RepositoryAddress } from '../ports/git.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { canDownloadCode, canPushCode, canReadProject, isArriving } from '../projects/policy.ts';
import { touchActivity } from '../users/activity.ts';

export interface TransportRequest {
  /** The full path as in the URL, without `.git`. */
  readonly path: string;
  readonly service: 'git-upload-pack' | 'git-receive-pack';
}

export type TransportAnswer =
  | {
      readonly outcome: 'granted';
      readonly repository: RepositoryAddress;
      readonly projectId: number;
      readonly userId: number | null;
    }
  | { readonly outcome: 'unauthenticated' | 'denied' | 'missing'; readonly text: string }
  | {
      readonly outcome: 'moved';
      /** Where it is now. */
      readonly fullPath: string;
      readonly text: string;
    };

const texts = {
  unauthenticated: 'HTTP Basic: Access denied\n',
  missing: 'The project you were looking for could not be found.',
  download: 'You are not allowed to download code from this project.',
  push: 'You are not allowed to push code to this project.',
  arriving: 'The repository is not complete yet. Please push when its import has finished.',
  closed: 'Git access over HTTP is not allowed',
} as const;

/**
 * Whether `viewer` may fetch from or push to the repository at `path` (the table of v4-behaviour 4.3).
 * Anonymous people learn nothing: whatever is not public asks them for credentials.
 */
export async function authorizeTransport(
  { path, service }: TransportRequest,
  { db, viewer, settings, baseUrl }: Pick<Context, 'db' | 'viewer' | 'settings' | 'baseUrl'>,
): Promise<TransportAnswer> {
  if (settings.current.enabledGitAccessProtocol === 'ssh') {
    return { outcome: 'denied', text: texts.closed };
  }
  const project = await db.project.findFirst({
    relationLoadStrategy: 'join',
    where: { route: { key: routeKey(path) } },
    select: {
      id: true,
      storage: true,
      diskPath: true,
      importStatus: true,
      ...levelSelection(viewer),
    },
  });
  const level = project && levelInProject(viewer, project);
  const isVisible = project && level !== null && canReadProject(viewer, level, project);
  const isPush = service === 'git-receive-pack';
  if (!viewer && (isPush || !isVisible)) {
    return { outcome: 'unauthenticated', text: texts.unauthenticated };
  }
  if (!isVisible) return absent(path, viewer, { db, baseUrl });
  if (isPush && !canPushCode(level, project)) return { outcome: 'denied', text: texts.push };
  if (isPush && isArriving(project)) return { outcome: 'denied', text: texts.arriving };
  if (!isPush && !canDownloadCode(viewer, level, project)) {
    return { outcome: 'denied', text: texts.download };
  }
  if (viewer) await touchActivity(viewer.id, { db });
  const { id: projectId, storage, diskPath } = project;
  return {
    outcome: 'granted',
    repository: { storage, diskPath },
    projectId,
    userId: viewer?.id ?? null,
  };
}

/** Whoever may see the project behind a former path is told where it went. */
async function absent(
  path: string,
  viewer: Viewer | null,
  { db, baseUrl }: Pick<Context, 'db' | 'baseUrl'>,
): Promise<TransportAnswer> {
  const former = await db.formerPath.findUnique({
    where: { key: routeKey(path) },
    select: { project: { select: { fullPath: true, ...levelSelection(viewer) } } },
  });
  const project = former?.project;
  if (!project || !canReadProject(viewer, levelInProject(viewer, project), project)) {
    return { outcome: 'missing', text: texts.missing };
  }
  const { fullPath } = project;
  const text =
    `Project '${path}' was moved to '${fullPath}'.\n\nPlease update your Git remote:\n\n` +
    `  git remote set-url origin ${baseUrl}/${fullPath}.git\n`;
  return { outcome: 'moved', fullPath, text };
}
