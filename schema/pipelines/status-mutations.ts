import { findCommit } from '../commits/find.ts';
import { canSetCommitStatus } from '../commits/policy.ts';
import { CommitState, CommitStatus } from '../commits/statuses.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { storedRecord } from '../listing/records.ts';
import { findProject } from '../projects/find.ts';
import { setStatus } from './set-status.ts';

/** The name of a check without one. */
const defaultName = 'default';

const CommitStatusInput = builder.inputType('CommitStatusInput', {
  fields: (t) => ({
    state: t.field({ type: CommitState, required: true, description: 'The state.' }),
    ref: t.string({
      description: 'The branch or tag that was tested; null for a branch that has the commit.',
    }),
    name: t.string({
      defaultValue: defaultName,
      description:
        'The name of the check, such as a step of the external service. Statuses with the same name and ref belong to one check.',
    }),
    targetUrl: t.string({
      description: 'The HTTP or HTTPS URL of a page with details.',
      extensions: publiclyTyped('URL'),
    }),
    description: t.string({ description: 'A short text.' }),
    coverage: t.float({ description: 'The test coverage in percent.' }),
  }),
});

builder.mutationField('setCommitStatus', (t) =>
  t.prismaField({
    type: CommitStatus,
    complexity: walkCost,
    description:
      'Sets the status that an external service gives a commit. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      sha: t.arg.string({
        required: true,
        description: 'The id of the commit.',
        extensions: publiclyTyped('SHA'),
      }),
      status: t.arg({ type: CommitStatusInput, required: true, description: 'The status.' }),
    },
    resolve: async (query, _root, { project: ref, sha, status }, ctx) => {
      const project = await findProject(ref, ctx, canSetCommitStatus);
      const commit = await findCommit(project, sha, ctx);
      const name = status.name ?? defaultName;
      const id = await setStatus(project, commit, { ...status, name }, ctx);
      return storedRecord(ctx, 'commitStatus', id, query);
    },
  }),
);
