import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { readableOf } from './readable.ts';
import { type CommitTreeEntry, TreeEntry } from './types.ts';

/** The sizes of all entries of a page together. */
const sizeOf = batched<CommitTreeEntry, number | null, Pick<Context, 'git'>>(
  async (entries, { git }) => {
    const sizes = new Map<CommitTreeEntry, number | null>();
    await Promise.all(
      [...Map.groupBy(entries, ({ repository }) => repository).values()].map(async (page) => {
        const [{ repository }] = page as [CommitTreeEntry, ...CommitTreeEntry[]];
        const ids = [...new Set(page.map(({ id }) => id))];
        const pairs = await readableOf(ids, async (some) => [
          ...(await git.blobSizes(repository, some)),
        ]);
        const byId = new Map(pairs);
        for (const entry of page) sizes.set(entry, byId.get(entry.id) ?? null);
      }),
    );
    return sizes;
  },
  null,
);

builder.objectField(TreeEntry, 'size', (t) =>
  t.field({
    type: 'ByteCount',
    description: 'The size of the file in bytes. Null for folders and submodules.',
    nullable: true,
    resolve: (entry, _args, ctx) => (entry.type === 'blob' ? sizeOf(entry, ctx) : null),
  }),
);
