import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { ifUnreadable } from '../kernel/outage.ts';
import type { LineCounts } from '../ports/git/log.ts';
import { Diff } from './diff.ts';
import { Commit } from './types.ts';

const CommitStats = builder.objectRef<LineCounts>('CommitStats').implement({
  description: 'The numbers of lines that a commit changed. Binary files have no lines.',
  fields: (t) => ({
    additions: t.exposeInt('additions', { description: 'The number of added lines.' }),
    deletions: t.exposeInt('deletions', { description: 'The number of deleted lines.' }),
    total: t.int({
      description: 'The sum of both.',
      resolve: ({ additions, deletions }) => additions + deletions,
    }),
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
    description:
      'The numbers of changed lines since the first parent. Null if counting takes more than 10 s, or a file or folder of the commit is damaged.',
    nullable: true,
    complexity: { field: processCost, multiplier: 1 },
    resolve: (commit, _args, { git, request }) =>
      git.lineCounts(commit.repository, stepOf(commit), request.signal).catch(ifUnreadable(null)),
  }),
  diffs: t.field({
    type: [Diff],
    description:
      'The changes since the first parent, in the byte order of their paths. A very large commit is cut.',
    complexity: { field: processCost, multiplier: 50 },
    resolve: async (commit, _args, { git, request }) => {
      const { files } = await git.diff(commit.repository, stepOf(commit), request.signal);
      return [...files];
    },
  }),
}));
