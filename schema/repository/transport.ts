import type { Prisma } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { routeKey } from '../kernel/names.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { levelInProject, levelSelection, type ProjectWithLevel } from '../projects/find.ts';
import {
  canDownloadCode,
  canPushCode,
  canReadProject,
  isImportUnfinished,
} from '../projects/policy.ts';
import { touchActivity } from '../users/activity.ts';

interface Transport {
  readonly service: 'git-upload-pack' | 'git-receive-pack';
  /** By which the client connects. */
  readonly protocol: 'http' | 'ssh';
}

export interface TransportRequest extends Transport {
  /** The full path as in the URL, without `.git`. */
  readonly path: string;
}

/** A transfer that has begun; the id of its project stays when the project is renamed or moved. */
export interface RunningTransport extends Transport {
  readonly projectId: number;
}

/** The project of a request or of a running transfer, unless it has been removed. */
export const transportProject = (
  transport: TransportRequest | RunningTransport,
): Prisma.ProjectWhereInput =>
  'path' in transport
    ? { route: { key: routeKey(transport.path) } }
    : // the route of a removed project is deleted
      { id: transport.projectId, route: { isNot: null } };

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
      /** The current path. */
      readonly fullPath: string;
      readonly text: string;
    };

const texts = {
  unauthenticated: 'HTTP Basic: Access denied\n',
  missing: 'The project you were looking for could not be found.',
  closed: {
    http: 'Git access over HTTP is not allowed',
    ssh: 'Git access over SSH is not allowed',
  },
} as const;

interface TransportProject extends ProjectWithLevel {
  readonly importStatus: string;
  readonly wikiEnabled: boolean;
}

/** A kind of repository of a project, and its rules. */
export interface TransportKind {
  /** The suffix of its path after the project's. */
  readonly suffix: '' | '.wiki';
  /** Why a user who can see the project may not fetch; null if they may. */
  fetchRefusal(viewer: Viewer | null, level: Access, project: TransportProject): string | null;
  pushRefusal(level: Access, project: TransportProject): string | null;
}

const code: TransportKind = {
  suffix: '',
  fetchRefusal: (viewer, level, project) =>
    canDownloadCode(viewer, level, project)
      ? null
      : 'You are not allowed to download code from this project.',
  pushRefusal: (level, project) => {
    if (!canPushCode(level, project)) return 'You are not allowed to push code to this project.';
    return isImportUnfinished(project)
      ? 'The repository is not complete yet. Please push when its import has finished.'
      : null;
  },
};

type TransportParts = Pick<Context, 'db' | 'viewer' | 'settings' | 'baseUrl' | 'sshUrl'>;

/** Whether the administrator lets users connect by a protocol. */
export function isOpen(
  protocol: TransportRequest['protocol'],
  { current }: Context['settings'],
): boolean {
  const only = current.enabledGitAccessProtocol;
  return only === null || only === '' || only === protocol;
}

/**
 * Whether `viewer` may fetch from or push to the repository of the project at `path` (the table of
 * v4-behaviour 4.3). Anonymous users learn nothing: unless the repository is public, the answer
 * asks for credentials.
 */
export async function authorizeTransport(
  request: TransportRequest | RunningTransport,
  ctx: TransportParts,
  kind: TransportKind = code,
): Promise<TransportAnswer> {
  const { protocol } = request;
  return isOpen(protocol, ctx.settings)
    ? authorizeAccess(request, ctx, kind)
    : { outcome: 'denied', text: texts.closed[protocol] };
}

/** The same, also if the protocol is closed. */
export async function authorizeAccess(
  transport: TransportRequest | RunningTransport,
  { db, viewer, ...instance }: Pick<Context, 'db' | 'viewer' | 'baseUrl' | 'sshUrl'>,
  kind: TransportKind = code,
): Promise<TransportAnswer> {
  const project = await db.project.findFirst({
    relationLoadStrategy: 'join',
    where: transportProject(transport),
    select: {
      storage: true,
      diskPath: true,
      importStatus: true,
      wikiEnabled: true,
      ...levelSelection(viewer),
    },
  });
  const level = project && levelInProject(viewer, project);
  const isVisible = project && level !== null && canReadProject(viewer, level, project);
  const isPush = transport.service === 'git-receive-pack';
  if (!viewer && isPush) return unauthenticated;
  if (!isVisible) {
    const moved =
      'path' in transport && (await redirected(transport, kind, viewer, { db, ...instance }));
    return moved || absent(viewer);
  }
  const refusal = isPush
    ? kind.pushRefusal(level, project)
    : kind.fetchRefusal(viewer, level, project);
  if (refusal !== null) return viewer ? { outcome: 'denied', text: refusal } : unauthenticated;
  if (viewer) await touchActivity(viewer.id, { db });
  const { id: projectId, storage, diskPath } = project;
  return {
    outcome: 'granted',
    repository: { storage, diskPath },
    projectId,
    userId: viewer?.id ?? null,
  };
}

const unauthenticated = { outcome: 'unauthenticated', text: texts.unauthenticated } as const;

/** Without credentials, an unknown path is answered like that of a private project. */
const absent = (viewer: Viewer | null): TransportAnswer =>
  viewer ? { outcome: 'missing', text: texts.missing } : unauthenticated;

/**
 * The new location of a project that had this path, if the caller may fetch from it; otherwise
 * null.
 */
async function redirected(
  { path, protocol }: Pick<TransportRequest, 'path' | 'protocol'>,
  kind: TransportKind,
  viewer: Viewer | null,
  { db, baseUrl, sshUrl }: Pick<Context, 'db' | 'baseUrl' | 'sshUrl'>,
): Promise<TransportAnswer | null> {
  const former = await db.formerPath.findUnique({
    where: { key: routeKey(path) },
    select: {
      project: {
        select: {
          fullPath: true,
          importStatus: true,
          wikiEnabled: true,
          ...levelSelection(viewer),
        },
      },
    },
  });
  const project = former?.project;
  if (!project) return null;
  const level = levelInProject(viewer, project);
  if (!canReadProject(viewer, level, project)) return null;
  // members learn at the new path why they may not fetch
  if (!viewer && kind.fetchRefusal(null, level, project) !== null) return null;
  const fullPath = project.fullPath + kind.suffix;
  const text =
    `Project '${path}' was moved to '${project.fullPath}'.\n\nPlease update your Git remote:\n\n` +
    `  git remote set-url origin ${protocol === 'ssh' ? sshUrl : `${baseUrl}/`}${fullPath}.git\n`;
  return { outcome: 'moved', fullPath, text };
}
