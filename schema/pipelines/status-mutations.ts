import { findCommit } from '../commits/find.ts';
import { canSetCommitStatus } from '../commits/policy.ts';
import { CommitState, CommitStatus } from '../commits/statuses.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { findProject } from '../projects/find.ts';
import { setStatus } from './set-status.ts';

const CommitStatusInput = builder.inputType('CommitStatusInput', {
  fields: (t) => ({
    state: t.field({ type: CommitState, required: true, description: 'The state of the job.' }),
    ref: t.string({
      description:
        'The branch or tag for which the job ran; null for a branch that has the commit.',
    }),
    name: t.string({
      defaultValue: 'default',
      required: true,
      description:
        'The name of the external service or job. Statuses of the same name and ref belong to one job.',
    }),
    targetUrl: t.string({ description: 'The URL of a page with details.' }),
    description: t.string({ description: 'A short text.' }),
    coverage: t.float({ description: 'The test coverage in per cent.' }),
  }),
});

builder.mutationField('setCommitStatus', (t) =>
  t.prismaField({
    type: CommitStatus,
    complexity: walkCost,
    description: 'Sets the status that an external service gives a commit. Developers only.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
      sha: t.arg.string({
        required: true,
        description: 'The name of a branch or tag, or the id of a commit.',
      }),
      status: t.arg({ type: CommitStatusInput, required: true, description: 'The status.' }),
    },
    resolve: async (query, _root, { project: ref, sha, status }, ctx) => {
      const project = await findProject(ref, ctx, canSetCommitStatus);
      const commit = await findCommit(project, sha, ctx);
      const id = await setStatus(project, commit, status, ctx);
      return ctx.db.commitStatus.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
