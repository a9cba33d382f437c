import type { Release } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, DomainError, refuseFaults } from '../kernel/errors.ts';
import { onRecordMissing, onUniqueViolation } from '../kernel/storage-errors.ts';
import { findWritableProject } from '../projects/find.ts';
import { lookupTag } from './find.ts';

const missing = (what: 'Tag' | 'Release') =>
  new DomainError('NOT_FOUND', `${what} does not exist`, { reason: 'sentence' });

/** The text of a tag's release. */
type ReleaseInput = Pick<Release, 'tagName' | 'description'>;

/** Without a description, it stays as it is. */
interface ReleaseChange {
  readonly tagName: string;
  readonly description?: string | undefined;
}

/** Adds a release to a tag; developers only. Throws if the tag does not exist or has a release. */
export async function createRelease(
  ref: string,
  { tagName, description }: ReleaseInput,
  ctx: Context,
): Promise<Release> {
  const projectId = await projectOf(ref, { tagName, description }, ctx);
  return ctx.db.release
    .create({ data: { projectId, tagName, description } })
    .catch(onUniqueViolation(() => conflict('Release already exists')));
}

/** Changes a tag's release; developers only. Throws if the tag does not exist or has no release. */
export async function updateRelease(
  ref: string,
  { tagName, description }: ReleaseChange,
  ctx: Context,
): Promise<Release> {
  const projectId = await projectOf(ref, { tagName, description }, ctx);
  const where = { projectId_tagName: { projectId, tagName } };
  const data = description === undefined ? {} : { description };
  return ctx.db.release.update({ where, data }).catch(onRecordMissing(() => missing('Release')));
}

/** The id of the project, if the viewer may write the tag's release. */
async function projectOf(
  ref: string,
  { tagName, description }: ReleaseChange,
  ctx: Context,
): Promise<number> {
  const project = await findWritableProject(ref, ctx);
  refuseFaults({ description: description?.trim() === '' ? ["can't be blank"] : [] });
  if (!(await lookupTag(project, tagName, ctx))) throw missing('Tag');
  return project.id;
}
