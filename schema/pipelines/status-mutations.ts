import { findCommit } from '../commits/find.ts';
import { canSetCommitStatus } from '../commits/policy.ts';
import { CommitState, CommitStatus } from '../commits/statuses.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { findProject } from '../projects/find.ts';
import { setStatus } from './set-status.ts';

const CommitStatusInput = builder.inputType('CommitStatusInput', {
  fields: (t) => ({
    state: t.field({ type: CommitState, required: true }),
    /** The branch or tag it was tried on; a branch that has the commit when left out. */
    ref: t.string(),
    /** Tells services apart. */
    name: t.string({ defaultValue: 'default', required: true }),
    /** The URL of a page with details. */
    targetUrl: t.string(),
    description: t.string(),
    /** Per cent. */
    coverage: t.float(),
  }),
});

builder.mutationField('setCommitStatus', (t) =>
  t.prismaField({
    type: CommitStatus,
    complexity: walkCost,
    args: {
      project: t.arg.id({ required: true }),
      /** A branch, a tag or a commit. */
      sha: t.arg.string({ required: true }),
      status: t.arg({ type: CommitStatusInput, required: true }),
    },
    resolve: async (query, _root, { project: ref, sha, status }, ctx) => {
      const project = await findProject(ref, ctx, canSetCommitStatus);
      const commit = await findCommit(project, sha, ctx);
      const id = await setStatus(project, commit, status, ctx);
      return ctx.db.commitStatus.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
