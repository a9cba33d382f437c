import type { Release } from '../../prisma/client.ts';
import type { ProjectCommit } from '../commits/types.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import type { Ref } from '../ports/git/history.ts';
import { readableOf } from '../repository/readable.ts';
import type { ReadableRepository } from '../repository/types.ts';

/** A tag with its commit. */
export interface ShownTag {
  readonly name: string;
  /** The annotation; null for a lightweight tag. */
  readonly message: string | null;
  /** Null if the tag names no commit. */
  readonly commit: ProjectCommit | null;
  readonly repository: ReadableRepository;
  /** Null if it has none; absent if it was not read with the tag. */
  readonly release?: Release | null;
}

/** The records of tags of one repository; omits those that cannot be read. */
export const showTags = (
  repository: ReadableRepository,
  tags: readonly Ref[],
  ctx: Pick<Context, 'git'>,
): Promise<readonly ShownTag[]> =>
  readableOf(tags, (some) => Promise.all(some.map((tag) => showTag(repository, tag, ctx))));

/** The record of one tag. */
export async function showTag(
  repository: ReadableRepository,
  { name, id }: Ref,
  { git }: Pick<Context, 'git'>,
): Promise<ShownTag> {
  const commit = await git.commitBehind(repository, id);
  const annotation = commit?.id === id ? null : await git.annotation(repository, id);
  return {
    name,
    message: annotation?.message ?? null,
    commit: commit && { ...commit, repository },
    repository,
  };
}

/** The releases of pages of tags, by tag; one statement for pages that are requested together. */
const releasesOf = batched<readonly ShownTag[], ReadonlyMap<ShownTag, Release>>(
  async (pages, { db }) => {
    const projects = Map.groupBy(pages.flat(), ({ repository }) => repository.id);
    const conditions = [...projects].map(([projectId, ofProject]) => ({
      projectId,
      tagName: { in: ofProject.map(({ name }) => name) },
    }));
    const releases = await db.release.findMany({
      // the tags of one project, as REST lists them, need no alternatives, which cost Prisma time
      where: conditions.length === 1 ? (conditions[0] ?? {}) : { OR: conditions },
    });
    const keyOf = (projectId: number, name: string) => `${projectId}:${name}`;
    const byTag = new Map(
      releases.map((release) => [keyOf(release.projectId, release.tagName), release]),
    );
    const releaseOf = (tag: ShownTag) => {
      const release = byTag.get(keyOf(tag.repository.id, tag.name));
      return release ? [[tag, release] as const] : [];
    };
    return new Map(pages.map((tags) => [tags, new Map(tags.flatMap(releaseOf))]));
  },
  new Map(),
);

/** Tags with their releases: a promise for each row would cost as much as the statement. */
export async function withReleases(
  tags: readonly ShownTag[],
  ctx: Context,
): Promise<readonly ShownTag[]> {
  if (tags.length === 0) return tags;
  const releases = await releasesOf(tags, ctx);
  return tags.map((tag) => ({ ...tag, release: releases.get(tag) ?? null }));
}

/** The release of a tag, or null. */
export async function releaseOf(tag: ShownTag, ctx: Context): Promise<Release | null> {
  const releases = await releasesOf([tag], ctx);
  return releases.get(tag) ?? null;
}
