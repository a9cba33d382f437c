import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { authorizeDeployKey } from '../repository/deploy-key-transport.ts';
import { authorizeAccess, isOpen, type TransportAnswer } from '../repository/transport.ts';
import { isLfsEnabled } from './policy.ts';
import type { LfsHolder, LfsOperation, SentLfsToken } from './token.ts';

/** Who sends a request to the LFS endpoints. */
export interface LfsCaller {
  /** Null for anonymous users and deploy keys; with the rights of the job for CI jobs. */
  readonly viewer: Viewer | null;
  /** Who gets the tokens for the transfers; null for anonymous users. */
  readonly holder: LfsHolder | null;
  /** The limits of the token that the caller sent, if it is one of this service's LFS tokens. */
  readonly grant: SentLfsToken | null;
}

/** A project whose LFS endpoints the caller may use. */
export interface LfsProject {
  readonly id: number;
  readonly fullPath: string;
  readonly forkedFromId: number | null;
  /** The caller's level in it; that of anonymous users for deploy keys. */
  readonly level: Access;
}

export type LfsAnswer =
  | { readonly outcome: 'granted'; readonly project: LfsProject }
  | Exclude<TransportAnswer, { readonly outcome: 'granted' }>;

const texts = {
  disabled: 'Access forbidden. Git LFS is disabled for this project.',
  closed: 'Git access over HTTP is not allowed',
  missing: 'The project you were looking for could not be found.',
  upload: 'You are not allowed to upload objects to this project.',
} as const;

const denied = (text: string) => ({ outcome: 'denied', text }) as const;
const missing = { outcome: 'missing', text: texts.missing } as const;

type LfsRequest = (
  | {
      /** The full path of a project as in the URL, without `.git`. */
      readonly path: string;
    }
  /** A running transfer. */
  | { readonly projectId: number }
) & {
  /** Whether the endpoint is for users who may fetch, or for those who may push. */
  readonly operation: LfsOperation;
};

type Parts = Pick<Context, 'db' | 'settings' | 'baseUrl' | 'sshUrl'>;

/**
 * Whether a caller may use an LFS endpoint of a project: those who may fetch may download, and
 * those who may push may upload. As in GitLab 10, a project without LFS responds with 403 to users who can
 * see it.
 */
export async function authorizeLfs(
  { operation, ...project }: LfsRequest,
  caller: LfsCaller,
  parts: Parts,
): Promise<LfsAnswer> {
  const { viewer, holder, grant } = caller;
  const isUpload = operation === 'upload';
  // clients get an LFS token over SSH, too
  if (!grant && !isOpen('http', parts.settings)) return denied(texts.closed);
  const isOnlyForDownloads = grant?.operation === 'download' || (holder && 'jobId' in holder);
  if (isUpload && isOnlyForDownloads) return denied(texts.upload);
  const service = isUpload ? 'git-receive-pack' : 'git-upload-pack';
  const transport = { ...project, service } as const;
  const answer =
    holder && 'deployKeyId' in holder
      ? // its tokens are issued over SSH
        await authorizeDeployKey(holder.deployKeyId, { ...transport, protocol: 'ssh' }, parts)
      : await authorizeAccess({ ...transport, protocol: 'http' }, { ...parts, viewer });
  if (answer.outcome !== 'granted') return answer;
  if (grant && grant.projectId !== answer.projectId) return missing;
  const lfsProject = await findLfsProject(answer.projectId, viewer, parts);
  if (!lfsProject) return missing;
  return lfsProject.isEnabled
    ? { outcome: 'granted', project: lfsProject }
    : denied(texts.disabled);
}

async function findLfsProject(
  id: number,
  viewer: Viewer | null,
  { db }: Pick<Context, 'db'>,
): Promise<(LfsProject & { readonly isEnabled: boolean }) | null> {
  const project = await db.project.findFirst({
    relationLoadStrategy: 'join',
    where: { id, isRemoved: false },
    select: {
      fullPath: true,
      forkedFromId: true,
      lfsEnabled: true,
      ...levelSelection(viewer),
    },
  });
  if (!project) return null;
  const groupsAbove = await db.namespace.findMany({
    where: { id: { in: project.namespace.ancestorIds } },
    select: { lfsEnabled: true },
  });
  const { fullPath, forkedFromId } = project;
  const level = levelInProject(viewer, project);
  return { id, fullPath, forkedFromId, level, isEnabled: isLfsEnabled(project, groupsAbove) };
}
