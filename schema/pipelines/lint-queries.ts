import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { Repository } from '../repository/types.ts';
import { findRunnable } from './find.ts';
import { lintCommitFile, lintContent } from './lint.ts';
import { ProjectCiLint } from './lint-types.ts';

const options = builder.args((t) => ({
  isDryRun: t.boolean({
    description:
      'Whether the creation of a pipeline is simulated: the jobs are those that would run, and what would keep the current user from creating it is an error.',
  }),
  ref: t.string({
    description: 'The branch or tag of a dry run. Default: the default branch.',
  }),
}));

builder.objectField(Repository, 'ciLint', (t) =>
  t.field({
    type: ProjectCiLint,
    extensions: internal,
    description: 'Validates the CI file of a commit without creating a pipeline.',
    complexity: heavyCost,
    args: {
      ...options,
      contentRef: t.arg.string({
        description: 'The branch, tag or commit with the file. Default: the default branch.',
      }),
    },
    resolve: (repository, args, ctx) => lintCommitFile(repository, args, ctx),
  }),
);

builder.queryField('projectCiLint', (t) =>
  t.field({
    type: ProjectCiLint,
    extensions: internal,
    description:
      'Validates a CI file for a project without creating a pipeline. Users who may create pipelines.',
    complexity: heavyCost,
    args: {
      ...options,
      project: t.arg.id({ required: true, description: 'The project.' }),
      content: t.arg.string({
        required: true,
        description: 'The text of a `.gitlab-ci.yml`: at most 256 Ki characters.',
      }),
    },
    resolve: async (_root, { project: ref, content, ...args }, ctx) =>
      lintContent(await findRunnable(ref, ctx), content, args, ctx),
  }),
);
