import { builder } from '../kernel/builder.ts';
import { type Context, taskCaller } from '../kernel/context.ts';
import { heavyCost } from '../kernel/cost.ts';
import { readCiFileTask } from './read-task.ts';

interface LintResult {
  readonly errors: readonly string[];
}

const CiLintResult = builder.objectRef<LintResult>('CiLintResult').implement({
  description: 'The result of the validation of a CI file.',
  fields: (t) => ({
    isValid: t.boolean({
      description: 'Whether a pipeline can be created from the file.',
      resolve: ({ errors }) => errors.length === 0,
    }),
    errors: t.stringList({
      description: 'The problems of the file: the first one, or none.',
      resolve: ({ errors }) => [...errors],
    }),
  }),
});

async function problemsOf(content: string, ctx: Context): Promise<readonly string[]> {
  if (content.trim() === '') return ['Please provide content of .gitlab-ci.yml'];
  const read = await ctx.workers.run(readCiFileTask, content, taskCaller(ctx));
  return 'problem' in read ? [read.problem] : [];
}

builder.queryField('ciLint', (t) =>
  t.field({
    type: CiLintResult,
    description: 'Validates a CI file without creating a pipeline. Anonymous users may do it.',
    complexity: heavyCost,
    args: {
      content: t.arg.string({
        required: true,
        description: 'The text of a `.gitlab-ci.yml`: at most 256 Ki characters.',
      }),
    },
    resolve: async (_root, { content }, ctx) => ({ errors: await problemsOf(content, ctx) }),
  }),
);
