import { builder } from '../kernel/builder.ts';
import { taskCaller } from '../kernel/context.ts';
import { heavyCost } from '../kernel/cost.ts';
import { readCiFileTask } from './read-task.ts';

builder.queryField('ciFileFaults', (t) =>
  t.stringList({
    description: 'What is wrong with a CI file; empty when a pipeline could be made of it.',
    complexity: heavyCost,
    args: { content: t.arg.string({ required: true }) },
    resolve: async (_root, { content }, ctx) => {
      if (content.trim() === '') return ['Please provide content of .gitlab-ci.yml'];
      const read = await ctx.workers.run(readCiFileTask, content, taskCaller(ctx));
      return 'problem' in read ? [read.problem] : [];
    },
  }),
);
