import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { isWholeId } from '../kernel/ref-names.ts';
import type { TreeEntry as Entry } from '../ports/git/store.ts';
import { sizeOfTreeBlob } from './tree-blob.ts';
import { type ReadableRepository, Repository, TreeEntry } from './types.ts';

/** A ref and a path in its commit, as they follow each other in a URL. */
export interface LocationRecord {
  readonly repository: ReadableRepository;
  readonly ref: string;
  readonly commitId: string;
  readonly path: string;
}

/** The maximum number of segments of a ref that are tried. */
const longestRef = 16;
/** Up to this number of references are resolved without a process. */
const fewRefs = 8;

export const Location = builder.objectRef<LocationRecord>('Location').implement({
  description: 'A ref and a path, which need not be in its commit.',
  fields: (t) => ({
    ref: t.exposeString('ref'),
    commitId: t.exposeString('commitId'),
    path: t.exposeString('path', { description: "'' is the root." }),
    entry: t.field({
      type: TreeEntry,
      description: 'Null for the root, and where there is nothing.',
      nullable: true,
      complexity: statementCost,
      resolve: entryOf,
    }),
    /** Bytes, for a file. */
    size: t.field({
      type: 'ByteCount',
      nullable: true,
      complexity: statementCost,
      resolve: async (location, _args, ctx) => {
        const entry = await entryOf(location, {}, ctx);
        return entry?.type === 'blob' ? sizeOfTreeBlob(location.repository, entry.id, ctx) : null;
      },
    }),
  }),
});

const entryOf = (
  { repository, commitId, path }: LocationRecord,
  _args: object,
  { git }: Pick<Context, 'git'>,
): Promise<Entry | null> => git.entryAt(repository, commitId, path);

builder.objectField(Repository, 'location', (t) =>
  t.field({
    type: Location,
    description: 'Refs may have slashes in their names: the longest one that is there is meant.',
    complexity: statementCost,
    args: {
      /** A branch, a tag or a commit, a slash, and a path from the root. */
      address: t.arg.string({ required: true }),
    },
    resolve: async (repository, { address }, ctx) => {
      const ref = await refIn(address, repository, ctx);
      const commitId = await ctx.git.resolveCommit(repository, ref);
      if (commitId === null) throw notFound('Commit');
      return { repository, ref, commitId, path: address.slice(ref.length + 1) };
    },
  }),
);

async function refIn(
  address: string,
  repository: ReadableRepository,
  { git }: Pick<Context, 'git'>,
): Promise<string> {
  const segments = address.split('/');
  const [first = ''] = segments;
  if (isWholeId(first)) return first;
  const names = segments.slice(0, longestRef).map((_s, i) => segments.slice(0, i + 1).join('/'));
  const refs = names.flatMap((name) => [`refs/heads/${name}`, `refs/tags/${name}`]);
  const groups = Array.from({ length: Math.ceil(refs.length / fewRefs) }, (_group, place) =>
    refs.slice(place * fewRefs, (place + 1) * fewRefs),
  );
  const references = await Promise.all(groups.map((group) => git.readRefs(repository, group)));
  const isThere = (ref: string) => references.some((group) => group.has(ref));
  const longest = names.findLast(
    (name) => isThere(`refs/heads/${name}`) || isThere(`refs/tags/${name}`),
  );
  return longest ?? first;
}
