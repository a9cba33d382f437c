import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { rangeOf } from '../merge-requests/range.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import type { Conflicts } from '../ports/git/merging.ts';

const MergeConflicts = builder.objectRef<Conflicts>('MergeConflicts').implement({
  description: 'The files that git cannot merge.',
  fields: (t) => ({
    paths: t.stringList({
      description: 'The paths of the files. At most 100.',
      resolve: ({ paths }) => [...paths],
    }),
    isCut: t.exposeBoolean('isCut', {
      description: 'Whether there may be more: a limit of time or size was reached.',
    }),
  }),
});

builder.prismaObjectField(MergeRequest, 'conflicts', (t) =>
  t.field({
    type: MergeConflicts,
    // for one merge request: git and several statements for each
    extensions: internal,
    nullable: true,
    description:
      'The files that conflict with the target branch. Null unless the merge request is open and cannot be merged, and if a branch does not exist.',
    complexity: walkCost,
    select: { id: true, sha: true, state: true, mergeStatus: true, targetBranch: true },
    resolve: async ({ id, sha, state, mergeStatus, targetBranch }, _args, ctx) => {
      if (state !== 'opened' || mergeStatus !== 'cannot_be_merged') return null;
      const { repository, head } = await rangeOf({ id, sha }, ctx);
      const target = await tipOf(repository, targetBranch, ctx);
      if (head === null || target === null) return null;
      return ctx.git.conflicts(repository, { target, head }, ctx.request.signal);
    },
  }),
);
