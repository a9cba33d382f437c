import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { ifVisible } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listPipelines, pipelineListArgs } from '../pipelines/filter.ts';
import { pipelineProjectById } from '../pipelines/find.ts';
import { newestPipelineOfCommit } from '../pipelines/newest.ts';
import { Pipeline, PipelinePage } from '../pipelines/types.ts';
import { MergeRequest } from './types.ts';

builder.prismaObjectFields(MergeRequest, (t) => ({
  pipelines: t.field({
    type: PipelinePage,
    nullable: true,
    complexity: listingCost,
    args: { ...pageArgs, ...pipelineListArgs },
    description:
      'The pipelines of the source branch in the source project, the newest first by default. Null if the source project was deleted, for an anonymous user, and for a user who may not see them.',
    select: { sourceProjectId: true, sourceBranch: true },
    resolve: ({ sourceProjectId, sourceBranch }, args, ctx) =>
      ifVisible(async () => {
        if (sourceProjectId === null) return null;
        const project = await pipelineProjectById(sourceProjectId, ctx);
        return listPipelines(project, args, ctx, {
          id: sourceBranch,
          condition: (branch) =>
            Prisma.sql`project_id = ${sourceProjectId} AND ref = ${branch} AND NOT is_tag`,
        });
      }),
  }),
  lastPipeline: t.prismaField({
    type: Pipeline,
    nullable: true,
    complexity: statementCost,
    description:
      'The newest pipeline of the head commit, in the source project. Null if there is none, and for a user who may not see it.',
    select: { sourceProjectId: true, sha: true },
    // no project has the id 0
    resolve: (query, { sourceProjectId, sha }, _args, ctx) =>
      newestPipelineOfCommit(query, { projectId: sourceProjectId ?? 0, sha: sha ?? '' }, ctx),
  }),
}));
