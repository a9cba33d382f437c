import { Prisma } from '../../prisma/client.ts';
import { readableCommit } from '../commits/by-sha.ts';
import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { ifVisible } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { Project } from '../projects/types.ts';
import { listPipelines, pipelineListArgs } from './filter.ts';
import { pipelineProjectById } from './find.ts';
import { newestPipelineOfCommit, newestPipelineOfProject } from './newest.ts';
import { Pipeline, PipelinePage } from './types.ts';

const edge = {
  type: PipelinePage,
  nullable: true,
  complexity: listingCost,
  args: { ...pageArgs, ...pipelineListArgs },
} as const;

builder.prismaObjectFields(Project, (t) => ({
  pipelines: t.field({
    ...edge,
    description:
      'The pipelines of the project, the newest first by default. Null for an anonymous user, and for a user who may not see them.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        const project = await pipelineProjectById(id, ctx);
        return listPipelines(project, args, ctx, belongsTo('project_id', id));
      }),
  }),
  pipeline: t.prismaField({
    type: Pipeline,
    nullable: true,
    complexity: statementCost,
    description: 'A pipeline of the project. Null for a user who may not see it.',
    args: { id: t.arg.int({ required: true, description: 'The id of the pipeline.' }) },
    resolve: (query, { id: projectId }, { id }, ctx, info) =>
      firstVisible(query, info, async () => {
        await pipelineProjectById(projectId, ctx);
        return pageOfRecords<typeof Pipeline.$inferType>(ctx, {
          table: 'pipelines',
          parent: belongsTo('project_id', projectId),
          where: Prisma.sql`id = ${id}`,
          column: 'id',
          direction: 'desc',
          page: { perPage: 1 },
        });
      }),
  }),
  lastPipeline: t.prismaField({
    type: Pipeline,
    nullable: true,
    complexity: statementCost,
    description:
      'The newest pipeline of the default branch. Null if there is none, and for a user who may not see it.',
    select: { id: true },
    resolve: (query, { id }, _args, ctx) => newestPipelineOfProject(query, id, ctx),
  }),
}));

builder.objectFields(Commit, (t) => ({
  pipelines: t.field({
    ...edge,
    description:
      'The pipelines of the commit, the newest first by default. Null for an anonymous user, and for a user who may not see them.',
    resolve: ({ id: sha, repository }, args, ctx) =>
      ifVisible(async () => {
        const project = await pipelineProjectById(repository.id, ctx);
        return listPipelines(project, args, ctx, {
          id: sha,
          condition: (id) => Prisma.sql`project_id = ${project.id} AND sha = ${id}`,
        });
      }),
  }),
  lastPipeline: t.prismaField({
    type: Pipeline,
    nullable: true,
    complexity: statementCost,
    description:
      'The newest pipeline of the commit. Null if there is none, and for a user who may not see it.',
    resolve: (query, { id: sha, repository }, _args, ctx) =>
      newestPipelineOfCommit(query, { projectId: repository.id, sha }, ctx),
  }),
}));

builder.prismaObjectField(Pipeline, 'commit', (t) =>
  t.field({
    type: Commit,
    nullable: true,
    complexity: statementCost,
    description:
      'The commit that the pipeline runs for. Null if the repository no longer has it, and for a user who may not read the code.',
    select: { projectId: true, sha: true },
    resolve: ({ projectId, sha }, _args, ctx) => readableCommit(projectId, sha, ctx),
  }),
);
