import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';
import { authorizeDeployKey } from '../repository/deploy-key-transport.ts';
import { enterWrite } from '../repository/ledger.ts';
import {
  authorizeTransport,
  type RunningTransport,
  type TransportAnswer,
  type TransportKind,
  type TransportRequest,
} from '../repository/transport.ts';
import { levelsOf } from '../sessions/levels.ts';
import { prepareWiki } from './find.ts';
import { canReadWiki, canWriteWiki } from './policy.ts';

const pushRefused = "You are not allowed to write to this project's wiki.";

const wikiKind: TransportKind = {
  suffix: '.wiki',
  fetchRefusal: (viewer, level, project) => {
    // a CI job reads wikis where it reads the code
    const isJob = viewer?.jobProjectId !== undefined;
    const canRead =
      canReadWiki(level, project) && (!isJob || canDownloadCode(viewer, level, project));
    return canRead ? null : "You are not allowed to read this project's wiki.";
  },
  pushRefusal: (level, project) => (canWriteWiki(level, project) ? null : pushRefused),
};

const ending = /\.wiki$/i;

/** Whether a repository path is a wiki's: no project can have such a name. */
export const isWikiPath = (path: string): boolean => ending.test(path);

/**
 * The same as `authorizeTransport` for the wiki at `path`; creates its repository at the first use.
 */
export async function authorizeWikiTransport(
  request: TransportRequest,
  ctx: Pick<Context, 'db' | 'git' | 'viewer' | 'settings' | 'baseUrl' | 'sshUrl'>,
): Promise<TransportAnswer> {
  const answer = await authorizeTransport(
    { ...request, path: request.path.replace(ending, '') },
    ctx,
    wikiKind,
  );
  if (answer.outcome !== 'granted') return answer;
  const { projectId, repository: project } = answer;
  const address = ctx.git.wikiOf(project);
  try {
    await prepareWiki({ projectId, project, address }, ctx);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { outcome: 'missing', text: 'The project you were looking for could not be found.' };
  }
  return { ...answer, repository: address };
}

/** A fetch or push that has begun, of a project's code or of its wiki. */
export interface RunningTransfer extends RunningTransport {
  readonly isWiki: boolean;
  /** Of a deploy key; the viewer is null. */
  readonly deployKeyId?: number | undefined;
}

/**
 * Whether a transfer that has begun would still be permitted. A rename or move of its project does not end
 * it; the removal of the project, and a lost right of the caller, do.
 */
export async function isTransferPermitted(
  { isWiki, deployKeyId, ...transport }: RunningTransfer,
  ctx: Pick<Context, 'db' | 'viewer' | 'settings' | 'baseUrl' | 'sshUrl'>,
): Promise<boolean> {
  const answer =
    deployKeyId === undefined || isWiki
      ? await authorizeTransport(transport, ctx, isWiki ? wikiKind : undefined)
      : await authorizeDeployKey(deployKeyId, transport, ctx);
  return answer.outcome === 'granted';
}

interface WikiPush {
  readonly projectId: number;
  readonly userId: number;
  /** The wiki's, where the references will move. */
  readonly repository: RepositoryAddress;
}

/**
 * Checks a push to a wiki before its references move, and enters an allowed one in the ledger, so
 * that a move waits for it. A crash loses nothing: pages are read from the references. Throws `repositoryMoving` while it moves to another storage.
 */
export async function admitWikiPush(
  { projectId, userId, repository }: WikiPush,
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
): Promise<{ readonly refusal: string } | { readonly ledger: bigint }> {
  // checked again, not remembered from the handshake: receiving a pack may take an hour
  const [pusher, project] = await Promise.all([
    levelsOf(db, userId),
    db.project.findFirst({
      relationLoadStrategy: 'join',
      where: { id: projectId, isRemoved: false },
      select: {
        wikiEnabled: true,
        diskPath: true,
        ...levelSelection({ id: userId }),
      },
    }),
  ]);
  const level = pusher && project ? levelInProject(pusher, project) : Access.none;
  if (!project || !canWriteWiki(level, project)) return { refusal: pushRefused };
  await transact(db, (tx) => jobs.enqueue('refresh-statistics', { projectId }, tx));
  const address = { storage: repository.storage, diskPath: project.diskPath };
  return { ledger: await enterWrite(projectId, userId, address, { db }) };
}
