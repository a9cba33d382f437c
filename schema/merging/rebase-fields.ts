import { iidArgs } from '../issuables/fields.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { storedRecord } from '../listing/records.ts';
import { byMergeRequest } from '../merge-requests/node.ts';
import { MergeRequest } from '../merge-requests/types.ts';
import { rebaseMergeRequest } from './rebase.ts';
import { isRebasing } from './rebase-state.ts';

builder.prismaObjectFields(MergeRequest, (t) => ({
  isRebaseInProgress: t.boolean({
    description: 'Whether the source branch is being rebased, or a job for it is queued.',
    select: { rebaseStartedAt: true },
    resolve: isRebasing,
  }),
  mergeError: t.exposeString('mergeError', {
    nullable: true,
    description: 'Why the last rebase failed; null if it did not.',
  }),
}));

builder.mutationField('rebaseMergeRequest', (t) =>
  t.prismaField({
    extensions: byMergeRequest,
    type: MergeRequest,
    description:
      'Starts a job that rebases the source branch onto the target branch, as a push of the current user. Users who may push to the source branch and discard its commits. CONFLICT if the merge request is not open, or is being rebased.',
    complexity: walkCost,
    args: {
      ...iidArgs,
      skipCi: t.arg.boolean({
        description: 'Whether the rebased branch gets no pipeline. Default: false.',
      }),
    },
    resolve: async (query, _root, { project, iid, skipCi }, ctx) => {
      const id = await rebaseMergeRequest(project, iid, { skipsCi: skipCi ?? false }, ctx);
      return storedRecord(ctx, 'mergeRequest', id, query);
    },
  }),
);
