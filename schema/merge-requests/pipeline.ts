import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { newestVisiblePipeline } from '../pipelines/commit-fields.ts';
import { Pipeline } from '../pipelines/types.ts';
import { MergeRequest } from './types.ts';

builder.prismaObjectField(MergeRequest, 'lastPipeline', (t) =>
  t.prismaField({
    type: Pipeline,
    description: 'The newest of its last commit, where that was made, for those who may see it.',
    nullable: true,
    complexity: statementCost,
    select: { sourceProjectId: true, sha: true },
    resolve: (query, { sourceProjectId, sha }, _args, ctx) =>
      sourceProjectId === null || sha === null
        ? null
        : newestVisiblePipeline(query, { projectId: sourceProjectId, sha }, ctx),
  }),
);
