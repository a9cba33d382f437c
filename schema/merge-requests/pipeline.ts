import { Prisma } from '../../prisma/client.ts';
import { branchRef } from '../branches/find.ts';
import { iidArgs } from '../issuables/fields.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { heavyCost, statementCost } from '../kernel/cost.ts';
import { invalid } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { listingCost, loadedPage, pageArgs } from '../listing/page.ts';
import { storedRecord } from '../listing/records.ts';
import { createPipeline } from '../pipelines/create.ts';
import { listPipelines, pipelineListArgs } from '../pipelines/filter.ts';
import { findRunnable, pipelineProjectById } from '../pipelines/find.ts';
import { newestPipelineOfCommit } from '../pipelines/newest.ts';
import { refusals } from '../pipelines/target.ts';
import { Pipeline, PipelinePage } from '../pipelines/types.ts';
import { findMergeRequest } from './find.ts';
import { byMergeRequest } from './node.ts';
import { MergeRequest } from './types.ts';

interface Source {
  readonly projectId: number;
  readonly sourceBranch: string;
}

/** A page of the pipelines of a source branch. Throws unless the viewer may see them. */
async function listSourcePipelines(
  { projectId, sourceBranch }: Source,
  args: Parameters<typeof listPipelines>[1],
  ctx: Context,
) {
  const project = await pipelineProjectById(projectId, ctx);
  return listPipelines(project, args, ctx, {
    id: sourceBranch,
    condition: (branch) => Prisma.sql`project_id = ${projectId} AND ref = ${branch} AND NOT is_tag`,
  });
}

builder.queryField('mergeRequestPipelines', (t) =>
  t.field({
    type: PipelinePage,
    extensions: internal,
    description:
      'The pipelines of the source branch of a merge request, in the source project, the newest first; none if that was deleted. FORBIDDEN for users who may not see them.',
    complexity: listingCost,
    args: { ...iidArgs, ...pageArgs },
    resolve: async (_root, { project, iid, ...page }, ctx) => {
      const { sourceProject, sourceBranch } = await findMergeRequest(project, iid, ctx);
      if (!sourceProject) return loadedPage([], 0, page);
      return listSourcePipelines({ projectId: sourceProject.id, sourceBranch }, page, ctx);
    },
  }),
);

builder.mutationField('createMergeRequestPipeline', (t) =>
  t.prismaField({
    extensions: byMergeRequest,
    type: Pipeline,
    description:
      'Creates and starts a pipeline by the CI file of the source branch of a merge request, in the source project. Developers of that project who may push to or merge into the branch.',
    complexity: heavyCost,
    args: iidArgs,
    resolve: async (query, _root, { project, iid }, ctx) => {
      const user = signedIn(ctx);
      const { sourceProject, sourceBranch } = await findMergeRequest(project, iid, ctx);
      if (!sourceProject) throw invalid({ base: [refusals.ref] });
      const source = await findRunnable(String(sourceProject.id), ctx);
      const input = { ref: branchRef(sourceBranch), source: 'api', user } as const;
      const created = await createPipeline(source, input, ctx);
      if ('refusal' in created) throw invalid({ base: [created.refusal] });
      return storedRecord(ctx, 'pipeline', created.id, query);
    },
  }),
);

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
        return listSourcePipelines({ projectId: sourceProjectId, sourceBranch }, args, ctx);
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
