import type { Release } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, type FieldErrors, refuseFaults, rejected } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { onRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { findWritableProject } from '../projects/find.ts';
import { linkMilestones, type NewRelease, storeRelease } from '../repository/releases.ts';
import { createTag } from '../tags/create.ts';
import { lookupTag } from '../tags/find.ts';
import { type LinkInput, linksFaults, releaseFaults } from './faults.ts';
import { findWritableRelease, missing, type ReleaseRef, releaseNotFound } from './find.ts';
import { milestonesByTitle } from './milestones.ts';

/** The new values of a release; omitted fields stay unchanged. */
interface ReleaseChange {
  readonly description?: string;
  /** Null: the name of the tag. */
  readonly name?: string | null;
  /** Null: when the release was created. */
  readonly releasedAt?: Date | null;
  /** The titles. */
  readonly milestones?: readonly string[];
}

export interface ReleaseInput extends ReleaseChange {
  /** Creates the tag here if it does not exist. */
  readonly ref?: string;
  /** The message of a created tag. */
  readonly tagMessage?: string;
  readonly links?: readonly LinkInput[];
}

const existing = () => conflict('Release already exists');

/**
 * Adds a release to a tag, which is created if `ref` is given and it does not exist; developers only.
 * Throws if the tag cannot be created or has a release.
 */
export async function createRelease(
  { project: projectRef, tagName }: ReleaseRef,
  { ref, tagMessage, ...input }: ReleaseInput,
  ctx: Context,
): Promise<Release> {
  const project = await findWritableProject(projectRef, ctx);
  const { links = [], releasedAt, name } = input;
  refuseFaults(faultsOf(input));
  const key = { projectId: project.id, tagName };
  const release: NewRelease = {
    description: input.description ?? '',
    name: name?.trim() ? name : undefined,
    releasedAt: releasedAt?.toISOString(),
    links: links.map(({ path, type, ...link }) => ({
      ...link,
      path: path ?? null,
      type: type ?? 'other',
    })),
    milestoneIds: await milestonesByTitle(project, input.milestones, ctx),
  };
  if (!(await lookupTag(project, tagName, ctx))) {
    if (ref === undefined) throw missing('Tag');
    const tag = { name: tagName, target: ref, message: tagMessage, release };
    await createTag(projectRef, tag, ctx, rejected);
    const where = { projectId_tagName: key };
    return orThrow(ctx.db.release.findUnique({ where }), releaseNotFound);
  }
  return transact(ctx.db, async (tx) => {
    const stored = await storeRelease(tx, { ...key, authorId: signedIn(ctx).id }, release);
    if (!stored) throw existing();
    return stored;
  }).catch(onRecordMissing(releaseNotFound));
}

/** A release and its links have the field `name` alike. */
function faultsOf({ links = [], ...input }: ReleaseInput): FieldErrors {
  const faults = releaseFaults(input);
  const ofLinks = linksFaults(links);
  return {
    ...faults,
    ...ofLinks,
    name: [...new Set([...(faults.name ?? []), ...(ofLinks.name ?? [])])],
  };
}

/** Changes a release; developers only. Throws if the tag does not exist or has no release. */
export async function updateRelease(
  { project: projectRef, tagName }: ReleaseRef,
  { description, milestones, ...details }: ReleaseChange,
  ctx: Context,
): Promise<Release> {
  const project = await findWritableProject(projectRef, ctx);
  refuseFaults(releaseFaults({ description, ...details }));
  if (!(await lookupTag(project, tagName, ctx))) throw missing('Tag');
  const milestoneIds = await milestonesByTitle(project, milestones, ctx);
  const key = { projectId: project.id, tagName };
  return transact(ctx.db, async (tx) => {
    const release = await tx.release.update({
      where: { projectId_tagName: key },
      data: description === undefined ? { updatedAt: new Date() } : { description },
    });
    const releaseId = release.id;
    if (Object.keys(details).length > 0) {
      const where = { releaseId };
      const create = { releaseId, ...details };
      await tx.releaseDetails.upsert({ where, create, update: details });
    }
    if (milestoneIds !== undefined) {
      await tx.releaseMilestone.deleteMany({ where: { releaseId } });
      await linkMilestones(tx, releaseId, milestoneIds);
    }
    return release;
  }).catch(onRecordMissing(() => missing('Release')));
}

/** Deletes a release with its links, and returns it as it was; its tag stays. Developers only. */
export async function deleteRelease(ref: ReleaseRef, ctx: Context) {
  const { id, ...found } = await findWritableRelease(ref, ctx);
  refuseModified(found, ctx);
  const details = await ctx.db.releaseDetails.findUnique({ where: { releaseId: id } });
  const { count } = await ctx.db.release.deleteMany({ where: { id } });
  if (count === 0) throw releaseNotFound();
  return { id, ...found, details };
}
