import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { Location } from '../repository/location.ts';
import { sizeOfTreeBlob } from '../repository/tree-blob.ts';
import { File } from './types.ts';

/** Names of a folder's readme, the most likely first. */
const names = [
  'README.md',
  'readme.md',
  'Readme.md',
  'README.markdown',
  'README',
  'README.txt',
  'README.rst',
  'README.adoc',
  'readme.txt',
  'readme.rst',
  'readme',
];

builder.objectField(Location, 'readme', (t) =>
  t.field({
    type: File,
    description: 'The readme of the folder. Null if it has none.',
    nullable: true,
    complexity: processCost,
    resolve: async ({ repository, commitId, path: folder }, _args, ctx) => {
      const paths = names.map((name) => (folder === '' ? name : `${folder}/${name}`));
      for (const path of paths) {
        const entry = await ctx.git.entryAt(repository, commitId, path);
        if (entry?.type !== 'blob') continue;
        const size = await sizeOfTreeBlob(repository, entry.id, ctx);
        return { path, id: entry.id, mode: entry.mode, size, commitId, repository };
      }
      return null;
    },
  }),
);
