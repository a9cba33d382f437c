import {
  Prisma,
  type Release,
  type ReleaseLinkType,
  type Transaction,
} from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { isNoObject } from '../kernel/no-object.ts';
import type { RefChange, RepositoryAddress } from '../ports/git/address.ts';
import type { PushOptions } from './push-options.ts';

const tagPrefix = 'refs/tags/';

/** A link of a new release. */
export interface NewReleaseLink {
  readonly name: string;
  readonly url: string;
  readonly path: string | null;
  readonly type: ReleaseLinkType;
}

/** A release to store with its tag; JSON, because the ledger keeps it. */
export interface NewRelease {
  /** Markdown. */
  readonly description: string;
  /** Absent: the name of the tag. */
  readonly name?: string | undefined;
  /** ISO 8601; absent: when it is created. */
  readonly releasedAt?: string | undefined;
  readonly links?: readonly NewReleaseLink[] | undefined;
  readonly milestoneIds?: readonly number[] | undefined;
}

/** A reference change in the ledger. */
export interface LedgerChange extends RefChange {
  /** A release created with the tag; its description alone in rows of earlier versions. */
  readonly release?: NewRelease | string;
  /** It gets no pipeline. */
  readonly skipsCi?: true;
  /** The first change has the options of the whole push. */
  readonly options?: PushOptions;
}

/** The changes in a row of the ledger; without those that are malformed, so that one stops no push. */
export const ledgerChanges = (stored: unknown): readonly LedgerChange[] =>
  (Array.isArray(stored) ? stored : []).filter((change: Partial<LedgerChange> | null) =>
    [change?.ref, change?.before, change?.after].every((value) => typeof value === 'string'),
  );

const tagNames = (changes: readonly RefChange[]) =>
  changes
    .filter(({ ref }) => ref.startsWith(tagPrefix))
    .map(({ ref }) => ref.slice(tagPrefix.length));

/** Tags that these changes create. */
export const createdTags = (changes: readonly RefChange[]) =>
  tagNames(changes.filter(({ before, after }) => isNoObject(before) && !isNoObject(after)));

/** Tags that these changes delete. */
export const deletedTags = (changes: readonly RefChange[]) =>
  tagNames(changes.filter(({ after }) => isNoObject(after)));

/**
 * Deletes the releases of those tags that do not exist: before a tag is created, so that it
 * inherits nothing, and after one is deleted. A release is always written for an existing tag, so a
 * row older than a moment without the tag belongs to a deleted one.
 */
export async function deleteOrphanedReleases(
  project: RepositoryAddress & { readonly id: number },
  names: readonly string[],
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<void> {
  if (names.length === 0) return;
  const releases = await db.$queryRaw<{ id: number; ref: string }[]>`
    SELECT id, ${tagPrefix} || tag_name AS ref FROM releases
    WHERE project_id = ${project.id} AND tag_name = ANY(${names})`;
  if (releases.length === 0) return;
  const present = await git.readRefs(
    project,
    releases.map(({ ref }) => ref),
  );
  const stale = releases.filter(({ ref }) => !present.has(ref)).map(({ id }) => id);
  await db.$executeRaw`DELETE FROM releases WHERE id = ANY(${stale})`;
}

/** Stores the releases created with tags by a user; an existing one stays. */
export async function storeReleases(
  tx: Transaction,
  { projectId, userId }: { readonly projectId: number; readonly userId: number | null },
  changes: readonly LedgerChange[],
): Promise<void> {
  for (const { ref, release } of changes) {
    if (release === undefined) continue;
    const tagName = ref.slice(tagPrefix.length);
    const input = typeof release === 'string' ? { description: release } : release;
    await storeRelease(tx, { projectId, tagName, authorId: userId }, input);
  }
}

interface ReleaseKeys extends Pick<Release, 'projectId' | 'tagName'> {
  readonly authorId: number | null;
}

/** Stores a release with its links and milestones; null if the tag has one. */
export async function storeRelease(
  tx: Transaction,
  { projectId, tagName, authorId }: ReleaseKeys,
  { description, name, releasedAt, links = [], milestoneIds = [] }: NewRelease,
): Promise<Release | null> {
  const [release] = await tx.release.createManyAndReturn({
    data: [{ projectId, tagName, description }],
    skipDuplicates: true,
  });
  if (!release) return null;
  const releaseId = release.id;
  await tx.releaseDetails.create({
    data: {
      releaseId,
      authorId,
      name: name ?? null,
      releasedAt: releasedAt === undefined ? null : new Date(releasedAt),
    },
    select: { releaseId: true },
  });
  if (links.length > 0) {
    await tx.releaseLink.createMany({ data: links.map((link) => ({ ...link, releaseId })) });
  }
  await linkMilestones(tx, releaseId, milestoneIds);
  return release;
}

/** Adds milestones to a release, except those that were deleted in between. */
export async function linkMilestones(
  tx: Transaction,
  releaseId: number,
  milestoneIds: readonly number[],
): Promise<void> {
  if (milestoneIds.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO release_milestones (release_id, milestone_id)
    SELECT ${releaseId}, id FROM milestones WHERE id = ANY(${Prisma.sql`${milestoneIds}::int[]`})
    FOR KEY SHARE
    ON CONFLICT DO NOTHING`;
}
