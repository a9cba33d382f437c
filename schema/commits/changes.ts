import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import type { LineCounts } from '../ports/git/log.ts';
import { Diff } from './diff.ts';
import { Commit } from './types.ts';

const CommitStats = builder.objectRef<LineCounts>('CommitStats').implement({
  description: 'How many lines of text a commit changed.',
  fields: (t) => ({
    additions: t.exposeInt('additions'),
    deletions: t.exposeInt('deletions'),
    total: t.int({ resolve: ({ additions, deletions }) => additions + deletions }),
  }),
});

/** The base of a commit's diff: its first parent, or the empty tree. */
const stepOf = ({ id, parentIds }: { id: string; parentIds: readonly string[] }) => ({
  from: parentIds[0] ?? null,
  to: id,
});

builder.objectFields(Commit, (t) => ({
  stats: t.field({
    type: CommitStats,
    description: 'Null when there is too much to count.',
    nullable: true,
    complexity: { field: processCost, multiplier: 1 },
    resolve: (commit, _args, { git, request }) =>
      git.lineCounts(commit.repository, stepOf(commit), request.signal),
  }),
  diffs: t.field({
    type: [Diff],
    description: 'What changed since the first parent.',
    complexity: { field: processCost, multiplier: 50 },
    resolve: async (commit, _args, { git, request }) => {
      const { files } = await git.diff(commit.repository, stepOf(commit), request.signal);
      return [...files];
    },
  }),
}));
