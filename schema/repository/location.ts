import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { isWholeId } from '../kernel/ref-names.ts';
import { sizeOfTreeBlob } from './tree-blob.ts';
import { type CommitTreeEntry, type ReadableRepository, Repository, TreeEntry } from './types.ts';

/** A ref and a path in its commit, as they follow each other in a URL. */
export interface LocationRecord {
  readonly repository: ReadableRepository;
  readonly ref: string;
  readonly isBranch: boolean;
  readonly commitId: string;
  readonly path: string;
}

/** The maximum number of segments of a ref that are tried. */
const longestRef = 16;
/** Up to this number of references are resolved without a process. */
const fewRefs = 8;

export const Location = builder.objectRef<LocationRecord>('Location').implement({
  description: 'A ref and a path that may not exist in its commit. Only pages use it.',
  fields: (t) => ({
    ref: t.exposeString('ref', { description: 'The branch, tag or commit id.' }),
    commitId: t.exposeString('commitId', { description: 'The commit of the ref.' }),
    isBranch: t.exposeBoolean('isBranch', { description: 'Whether the ref is a branch.' }),
    path: t.exposeString('path', { description: 'The path from the root; empty for the root.' }),
    entry: t.field({
      type: TreeEntry,
      description: 'The entry at the path. Null for the root, and if the path does not exist.',
      nullable: true,
      complexity: statementCost,
      resolve: entryOf,
    }),
    size: t.field({
      type: 'ByteCount',
      description: 'The size of the file in bytes. Null if the path is no file.',
      nullable: true,
      complexity: statementCost,
      resolve: async (location, _args, ctx) => {
        const entry = await entryOf(location, {}, ctx);
        return entry?.type === 'blob' ? sizeOfTreeBlob(location.repository, entry.id, ctx) : null;
      },
    }),
  }),
});

async function entryOf(
  { repository, commitId, path }: LocationRecord,
  _args: object,
  { git }: Pick<Context, 'git'>,
): Promise<CommitTreeEntry | null> {
  const entry = await git.entryAt(repository, commitId, path);
  return entry && { ...entry, repository, commitId };
}

builder.objectField(Repository, 'location', (t) =>
  t.field({
    type: Location,
    description:
      'Splits a text into a ref and a path. Names of refs may contain slashes: the longest existing ref counts.',
    extensions: internal,
    complexity: statementCost,
    args: {
      address: t.arg.string({
        required: true,
        description: 'A branch, a tag or a commit id, then a slash and a path from the root.',
      }),
    },
    resolve: async (repository, { address }, ctx) => {
      const { ref, isBranch } = await refIn(address, repository, ctx);
      const commitId = await ctx.git.resolveCommit(repository, ref);
      if (commitId === null) throw notFound('Commit');
      return { repository, ref, isBranch, commitId, path: address.slice(ref.length + 1) };
    },
  }),
);

async function refIn(
  address: string,
  repository: ReadableRepository,
  { git }: Pick<Context, 'git'>,
): Promise<Pick<LocationRecord, 'ref' | 'isBranch'>> {
  const segments = address.split('/');
  const [first = ''] = segments;
  if (isWholeId(first)) return { ref: first, isBranch: false };
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
  const ref = longest ?? first;
  return { ref, isBranch: isThere(`refs/heads/${ref}`) };
}
