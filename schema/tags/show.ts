import type { ProjectCommit } from '../commits/types.ts';
import type { Context } from '../kernel/context.ts';
import type { Ref } from '../ports/git/history.ts';
import type { ReadableRepository } from '../repository/types.ts';

/** The release of a tag. */
export interface ReleaseRecord {
  readonly tagName: string;
  readonly description: string;
}

/** A tag with all its displayed data. */
export interface ShownTag {
  readonly name: string;
  /** The annotation; null for a lightweight tag. */
  readonly message: string | null;
  /** Null if the tag names no commit. */
  readonly commit: ProjectCommit | null;
  readonly release: ReleaseRecord | null;
}

/** Displayed data of tags of one repository, with their releases loaded by one statement. */
export async function showTags(
  repository: ReadableRepository,
  tags: readonly Ref[],
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<ShownTag[]> {
  const [releases, commits] = await Promise.all([
    releasesOf(repository.id, tags, db),
    Promise.all(
      tags.map(async ({ name, id }) => {
        const commit = await git.commitBehind(repository, id);
        const annotation = commit?.id === id ? null : await git.annotation(repository, id);
        return {
          name,
          message: annotation?.message ?? null,
          commit: commit && { ...commit, repository },
        };
      }),
    ),
  ]);
  return commits.map((tag) => ({ ...tag, release: releases.get(tag.name) ?? null }));
}

/** The displayed data of one tag. */
export async function showTag(
  repository: ReadableRepository,
  tag: Ref,
  ctx: Pick<Context, 'db' | 'git'>,
): Promise<ShownTag> {
  const [record] = await showTags(repository, [tag], ctx);
  if (!record) throw new Error(`Tag ${tag.name} was not shown`);
  return record;
}

async function releasesOf(
  projectId: number,
  tags: readonly Ref[],
  db: Context['db'],
): Promise<ReadonlyMap<string, ReleaseRecord>> {
  if (tags.length === 0) return new Map();
  const releases = await db.$queryRaw<ReleaseRecord[]>`
    SELECT tag_name AS "tagName", description FROM releases
    WHERE project_id = ${projectId} AND tag_name = ANY(${tags.map(({ name }) => name)})`;
  return new Map(releases.map((release) => [release.tagName, release]));
}
