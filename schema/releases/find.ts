import type { Release, ReleaseLink } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, notFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { findProject, findWritableProject } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';

/** Names a release of a project. */
export interface ReleaseRef {
  readonly project: string;
  readonly tagName: string;
}

export const releaseNotFound = () => notFound('Release');

/** A text of v4 about the tag or release that an endpoint needs. */
export const missing = (what: 'Tag' | 'Release') =>
  new DomainError('NOT_FOUND', `${what} does not exist`, { reason: 'sentence' });

const releaseIn = (projectId: number, tagName: string, { db }: Pick<Context, 'db'>) =>
  orThrow(
    db.release.findUnique({ where: { projectId_tagName: { projectId, tagName } } }),
    releaseNotFound,
  );

/** A release that the viewer may see, because the viewer may read the code. */
export async function findRelease({ project, tagName }: ReleaseRef, ctx: Context) {
  const { id } = await findProject(project, ctx, canDownloadCode);
  return releaseIn(id, tagName, ctx);
}

/** A release that the viewer may change: developers. */
export async function findWritableRelease(
  { project, tagName }: ReleaseRef,
  ctx: Context,
): Promise<Release> {
  const { id } = await findWritableProject(project, ctx);
  return releaseIn(id, tagName, ctx);
}

/** A link of a release. */
export const findLink = (
  release: Pick<Release, 'id'>,
  id: number,
  { db }: Pick<Context, 'db'>,
): Promise<ReleaseLink> =>
  orThrow(db.releaseLink.findFirst({ where: { id, releaseId: release.id } }), () =>
    notFound('Link'),
  );
