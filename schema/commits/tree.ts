import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { pageArgs } from '../listing/page.ts';
import { folderArgs, folderCost, listFolder } from '../repository/tree.ts';
import { type CommitTreeEntry, TreeEntry, TreePage } from '../repository/types.ts';
import { Commit, type ProjectCommit } from './types.ts';

builder.objectField(Commit, 'tree', (t) =>
  t.field({
    type: TreePage,
    description:
      'The entries of a folder of the commit: folders first, then files, then submodules, each in the byte order of their names. An error NOT_FOUND if the commit has no such folder.',
    extensions: publiclyNullable,
    complexity: folderCost,
    args: { ...pageArgs, ...folderArgs },
    resolve: ({ id, repository }, folder, ctx) => listFolder(repository, id, folder, ctx),
  }),
);

/** One walk of a history for all entries of the same commit. */
const lastCommitOf = batched<CommitTreeEntry, ProjectCommit | null>(
  async (entries, { git, request }) => {
    const pages = Map.groupBy(
      entries,
      ({ repository, commitId }) => `${repository.id}:${commitId}`,
    );
    const commits = new Map<CommitTreeEntry, ProjectCommit | null>();
    await Promise.all(
      [...pages.values()].map(async (page) => {
        const [{ repository, commitId }] = page as [CommitTreeEntry, ...CommitTreeEntry[]];
        const paths = [...new Set(page.map(({ path }) => path))];
        const ids = await git.lastCommitsOf(repository, commitId, paths, request.signal);
        const records = await git.commits(repository, [...new Set(ids.values())]);
        const byId = new Map(records.map((commit) => [commit.id, { ...commit, repository }]));
        for (const entry of page) commits.set(entry, byId.get(ids.get(entry.path) ?? '') ?? null);
      }),
    );
    return commits;
  },
  null,
);

builder.objectField(TreeEntry, 'lastCommit', (t) =>
  t.field({
    type: Commit,
    description:
      'The last commit that changed the entry. Null if that is not among the newest 5000 commits, or is not found within 5 s.',
    nullable: true,
    // a page of twenty entries is one walk
    complexity: { field: walkCost / 20, multiplier: 1 },
    resolve: (entry, _args, ctx) => lastCommitOf(entry, ctx),
  }),
);
