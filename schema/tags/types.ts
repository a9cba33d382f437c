import { Commit, type ProjectCommit } from '../commits/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { ReadableRepository } from '../repository/types.ts';

/** A tag that exists, and where. */
export interface TagRecord {
  readonly repository: ReadableRepository;
  readonly name: string;
  /** The object it names: for an annotated tag the tag object. */
  readonly id: string;
}

/** A page of the tags of a repository. */
export interface TagPageRecord {
  readonly nodes: readonly TagRecord[];
  readonly total: number;
}

/** What its people say of a tag. */
export interface ReleaseRecord {
  readonly tagName: string;
  readonly description: string;
}

export const Release = builder.objectRef<ReleaseRecord>('Release').implement({
  description: 'The notes on a tag.',
  fields: (t) => ({
    tagName: t.exposeString('tagName'),
    /** Markdown. */
    description: t.exposeString('description'),
  }),
});

interface Releases {
  readonly projectId: number;
  readonly tagName: string;
}

/** Projects have numbers and tags no spaces. */
const keyOf = ({ projectId, tagName }: Releases) => `${projectId} ${tagName}`;

const releaseOf = batched<string, ReleaseRecord | null>(async (keys, { db }) => {
  const parts = keys.map((key) => key.split(' '));
  const projectIds = parts.map(([projectId]) => Number(projectId));
  const tagNames = parts.map(([, tagName = '']) => tagName);
  const found = await db.$queryRaw<(Releases & ReleaseRecord)[]>`
    SELECT project_id AS "projectId", tag_name AS "tagName", description FROM releases
    JOIN unnest(${projectIds}::int[], ${tagNames}::text[]) AS asked (project_id, tag_name)
      USING (project_id, tag_name)`;
  return new Map(found.map((release) => [keyOf(release), release]));
}, null);

export const Tag = builder.objectRef<TagRecord>('Tag').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    /** The annotation; null when there is none. */
    message: t.string({
      nullable: true,
      resolve: async ({ repository, id }, _args, { git }) =>
        (await git.annotation(repository, id))?.message ?? null,
    }),
    /** Null when it names no commit, but a blob, say. */
    commit: t.field({
      type: Commit,
      nullable: true,
      resolve: async ({ repository, id }, _args, { git }): Promise<ProjectCommit | null> => {
        const commit = await git.commitBehind(repository, id);
        return commit && { ...commit, repository };
      },
    }),
    release: t.field({
      type: Release,
      nullable: true,
      resolve: ({ repository, name }, _args, ctx) =>
        releaseOf(keyOf({ projectId: repository.id, tagName: name }), ctx),
    }),
  }),
});

export const TagPage = builder.objectRef<TagPageRecord>('TagPage').implement({
  fields: (t) => ({
    nodes: t.field({ type: [Tag], resolve: ({ nodes }) => [...nodes] }),
    total: t.exposeInt('total'),
  }),
});
