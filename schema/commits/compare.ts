import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import type { Comparison as Compared } from '../ports/git/comparison.ts';
import { Repository } from '../repository/types.ts';
import { Diff } from './diff.ts';
import { Commit, type ProjectCommit } from './types.ts';

interface ProjectComparison extends Compared {
  readonly commits: readonly ProjectCommit[];
  readonly isSame: boolean;
}

const Comparison = builder.objectRef<ProjectComparison>('Comparison').implement({
  fields: (t) => ({
    /** Oldest first. */
    commits: t.field({ type: [Commit], resolve: ({ commits }) => [...commits] }),
    diffs: t.field({ type: [Diff], resolve: ({ diffs }) => [...diffs.files] }),
    /** A limit of time or size was reached: the result is incomplete. */
    isTimedOut: t.exposeBoolean('isTimedOut'),
    /** Both names are of the same commit. */
    isSame: t.exposeBoolean('isSame'),
  }),
});

builder.objectField(Repository, 'comparison', (t) =>
  t.field({
    type: Comparison,
    description: 'What one commit has brought since it parted from another.',
    complexity: { field: walkCost, multiplier: 5 },
    args: {
      /** Branches, tags or commits. */
      from: t.arg.string({ required: true }),
      to: t.arg.string({ required: true }),
    },
    resolve: async (repository, names, { git, request }): Promise<ProjectComparison> => {
      const [from, to] = await Promise.all([
        git.resolveCommit(repository, names.from),
        git.resolveCommit(repository, names.to),
      ]);
      if (!from || !to) throw notFound('Commit');
      if (from === to) return nothing;
      const comparison = await git.compare(repository, { from, to }, request.signal);
      const records = await git.commits(repository, comparison.commitIds);
      const commits = records.map((commit) => ({ ...commit, repository }));
      return { ...comparison, commits, isSame: false };
    },
  }),
);

const nothing: ProjectComparison = {
  commitIds: [],
  commits: [],
  diffs: { files: [], isTimedOut: false },
  isTimedOut: false,
  isSame: true,
};
