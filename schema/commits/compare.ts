import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import type { Comparison as Compared } from '../ports/git/comparison.ts';
import { Repository } from '../repository/types.ts';
import { Diff } from './diff.ts';
import { Commit, type ProjectCommit } from './types.ts';

export interface ProjectComparison extends Compared {
  readonly commits: readonly ProjectCommit[];
  readonly isSame: boolean;
}

export const Comparison = builder.objectRef<ProjectComparison>('Comparison').implement({
  description: 'The commits and changes that one commit has and another does not have.',
  fields: (t) => ({
    commits: t.field({
      type: [Commit],
      description: 'The commits that only `to` has, oldest first. At most 5000.',
      resolve: ({ commits }) => [...commits],
    }),
    diffs: t.field({
      type: [Diff],
      description: 'The changes since the merge base, in the byte order of their paths.',
      resolve: ({ diffs }) => [...diffs.files],
    }),
    isTimedOut: t.exposeBoolean('isTimedOut', {
      description: 'Whether a limit of time or size was reached, so that the result is incomplete.',
    }),
    isSame: t.exposeBoolean('isSame', {
      description: 'Whether `from` and `to` are the same commit.',
    }),
  }),
});

builder.objectField(Repository, 'compare', (t) =>
  t.field({
    type: Comparison,
    description:
      'The commits and changes of `to` since its merge base with `from`. An error NOT_FOUND if one of them does not exist.',
    extensions: publiclyNullable,
    complexity: { field: walkCost, multiplier: 5 },
    args: {
      from: t.arg.string({
        required: true,
        description: 'The branch, tag or commit id to compare with.',
      }),
      to: t.arg.string({
        required: true,
        description: 'The branch, tag or commit id whose changes are returned.',
      }),
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
