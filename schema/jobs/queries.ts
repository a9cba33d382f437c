import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findRecord } from '../listing/records.ts';
import { findPipeline, findPipelineProject } from '../pipelines/find.ts';
import { ArtifactsFile } from './artifacts.ts';
import { type ArtifactsLocation, findArtifacts, findLatestArtifacts } from './find.ts';
import { jobListArgs, listJobs, pipelineJobArgs } from './listing.ts';
import { Job, JobPage } from './types.ts';

const projectArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project, by id or full path.' }),
}));

builder.queryFields((t) => ({
  jobs: t.field({
    type: JobPage,
    extensions: internal,
    description: 'The jobs of a project, the newest first, with those that a retry has replaced.',
    complexity: listingCost,
    args: { ...projectArgs, ...jobListArgs, ...pageArgs },
    resolve: async (_root, { project, ...args }, ctx) => {
      const { id } = await findPipelineProject(project, ctx);
      return listJobs(args, ctx, belongsTo('project_id', id));
    },
  }),
  pipelineJobs: t.field({
    type: JobPage,
    extensions: internal,
    description: 'The jobs of a pipeline, the newest first.',
    complexity: listingCost,
    args: {
      ...projectArgs,
      ...jobListArgs,
      ...pipelineJobArgs,
      ...pageArgs,
      pipeline: t.arg.int({ required: true, description: 'The id of the pipeline.' }),
    },
    resolve: async (_root, { project: ref, pipeline, ...args }, ctx) => {
      const project = await findPipelineProject(ref, ctx);
      const { id } = await findPipeline(project, pipeline, ctx);
      return listJobs(args, ctx, belongsTo('pipeline_id', id));
    },
  }),
  job: t.prismaField({
    type: Job,
    extensions: internal,
    args: {
      ...projectArgs,
      id: t.arg.int({ required: true, description: 'The id of the job.' }),
    },
    resolve: async (query, _root, { project, id }, ctx) => {
      const { id: projectId } = await findPipelineProject(project, ctx);
      const condition = Prisma.sql`id = ${id} AND project_id = ${projectId}`;
      return orThrow(findRecord(ctx, { model: 'job', query, condition }), recordNotFound);
    },
  }),
}));

export const Artifacts = builder.objectRef<ArtifactsLocation>('Artifacts').implement({
  description: 'The stored artifacts of a job; their content is served over REST.',
  fields: (t) => ({
    jobId: t.exposeInt('jobId', { description: 'The job that stored them.' }),
    projectId: t.exposeInt('projectId', { description: 'The project of the job.' }),
    file: t.field({
      type: ArtifactsFile,
      description: 'The archive.',
      resolve: (location) => location,
    }),
  }),
});

builder.queryFields((t) => ({
  artifacts: t.field({
    type: Artifacts,
    extensions: internal,
    description:
      'The artifacts of a job; with public jobs, all users who can see the project may download them.',
    args: {
      ...projectArgs,
      job: t.arg.int({ required: true, description: 'The id of the job.' }),
    },
    resolve: (_root, { project, job }, ctx) => findArtifacts(project, job, ctx),
  }),
  latestArtifacts: t.field({
    type: Artifacts,
    extensions: internal,
    description: 'The artifacts of a job in the newest successful pipeline of a branch or tag.',
    args: {
      ...projectArgs,
      ref: t.arg.string({
        required: true,
        description: 'The branch or tag, by its short name; a branch is preferred.',
      }),
      job: t.arg.string({ required: true, description: 'The name of the job.' }),
    },
    resolve: (_root, { project, ...reference }, ctx) =>
      findLatestArtifacts(project, reference, ctx),
  }),
}));
