import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { isNoObject } from '../kernel/no-object.ts';
import type { RefChange, RepositoryAddress } from '../ports/git/address.ts';

const tagPrefix = 'refs/tags/';

/** A reference change in the ledger. */
export interface LedgerChange extends RefChange {
  /** The description of a release created with the tag. */
  readonly release?: string;
}

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

/** Stores the releases created with tags; an existing one stays. */
export async function storeReleases(
  tx: Transaction,
  projectId: number,
  changes: readonly LedgerChange[],
): Promise<void> {
  const described = changes.filter(({ release }) => release !== undefined);
  if (described.length === 0) return;
  await tx.release.createMany({
    data: described.map(({ ref, release = '' }) => ({
      projectId,
      tagName: ref.slice(tagPrefix.length),
      description: release,
    })),
    skipDuplicates: true,
  });
}
