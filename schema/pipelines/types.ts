import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { pipelineSources } from './jobs-of-file.ts';
import { ciStatuses } from './status.ts';

export const CiStatus = builder.enumType('CiStatus', {
  description: 'How far a job or a pipeline is.',
  values: ciStatuses,
});

export const PipelineSource = builder.enumType('PipelineSource', { values: pipelineSources });

export const Pipeline = builder.prismaObject('Pipeline', {
  description: "What a commit's CI file asks for, as it is done once.",
  fields: (t) => ({
    id: t.exposeInt('id'),
    project: t.relation('project'),
    status: t.expose('status', { type: CiStatus }),
    /** A branch or tag by its short name, or a commit. */
    ref: t.exposeString('ref'),
    isTag: t.exposeBoolean('isTag'),
    sha: t.exposeString('sha'),
    /** Where the ref was before the push; forty zeros otherwise. */
    beforeSha: t.exposeString('beforeSha'),
    source: t.expose('source', { type: PipelineSource }),
    /** What was wrong with the CI file. */
    yamlErrors: t.exposeString('yamlErrors', { nullable: true }),
    /** Names of the stages, in their order. */
    stages: t.exposeStringList('stages'),
    /** Null for an external service, or a deleted user. */
    user: t.relation('user', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    /** Of the commit. */
    committedAt: t.expose('committedAt', { type: 'DateTime', nullable: true }),
    /** Whole seconds in which any of its jobs ran. */
    duration: t.exposeInt('duration', { nullable: true }),
    /** Per cent, the mean of its jobs that measured it. */
    coverage: t.exposeFloat('coverage', { nullable: true }),
  }),
});

export const PipelinePage = pageType('Pipeline', Pipeline);
