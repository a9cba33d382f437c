import { builder } from '../kernel/builder.ts';
import { noObject } from '../kernel/no-object.ts';
import { publiclyNullFor, publiclyTyped } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import type { PipelineSource as Source } from './jobs-of-file.ts';
import type { CiStatus as Status } from './status.ts';

const statusDescriptions: Readonly<Record<Status, { readonly description: string }>> = {
  created: { description: 'Waits for the jobs of an earlier stage.' },
  pending: { description: 'Waits for a runner.' },
  running: { description: 'A runner executes it.' },
  success: { description: 'Ended without a failure that counts.' },
  failed: { description: 'Ended with a failure.' },
  canceled: { description: 'A user canceled it.' },
  skipped: {
    description: 'Does not run, because an earlier stage did not end as the job requires.',
  },
  manual: { description: 'Waits for a user to start it.' },
};

export const CiStatus = builder.enumType('CiStatus', {
  description: 'The status of a job or a pipeline.',
  values: statusDescriptions,
});

const sources: Readonly<Record<Source, { readonly description: string }>> = {
  push: { description: 'A push.' },
  web: { description: 'A user on a page.' },
  trigger: { description: 'A trigger token.' },
  schedule: { description: 'A pipeline schedule.' },
  api: { description: 'A call of the API.' },
  external: { description: 'An external service that reported a commit status.' },
};

export const PipelineSource = builder.enumType('PipelineSource', {
  description: 'What created a pipeline.',
  values: sources,
});

export const Pipeline = builder.prismaObject('Pipeline', {
  description: 'One run of the jobs that the CI file of a commit defines.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the pipeline, unique in the service.' }),
    project: t.relation('project', { description: 'The project of the pipeline.' }),
    status: t.expose('status', {
      type: CiStatus,
      description: 'The combined status of its jobs, without retried ones.',
    }),
    webUrl: t.field({
      type: 'URL',
      description: 'The address of its page.',
      select: { project: { select: { fullPath: true } } },
      resolve: ({ id, project }, _args, { baseUrl }) =>
        `${baseUrl}/${project.fullPath}/pipelines/${id}`,
    }),
    ref: t.exposeString('ref', {
      description: 'The branch or tag that it runs for, by its short name such as `main`.',
    }),
    isTag: t.exposeBoolean('isTag', { description: 'Whether `ref` is a tag.' }),
    sha: t.expose('sha', { type: 'SHA', description: 'The id of the commit that it runs for.' }),
    beforeSha: t.expose('beforeSha', {
      type: 'SHA',
      extensions: publiclyNullFor(noObject),
      description: 'The commit of the ref before the push; null for a new ref, and without a push.',
    }),
    source: t.expose('source', { type: PipelineSource, description: 'What created it.' }),
    yamlErrors: t.exposeString('yamlErrors', {
      nullable: true,
      description: 'The error in the CI file; null if the file is valid.',
    }),
    stages: t.exposeStringList('stages', {
      description: 'The names of its stages, in the order in which they run.',
    }),
    user: t.relation('user', {
      nullable: true,
      description:
        'The user who triggered it. Null if an external service did, and for a deleted user.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it last changed.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its first job started; null before that.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its last job ended; null before that.',
    }),
    committedAt: t.expose('committedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The date of the commit; null if it is unknown.',
    }),
    duration: t.exposeInt('duration', {
      nullable: true,
      // as that of a job
      extensions: publiclyTyped('Float'),
      description: 'Whole seconds in which at least one of its jobs ran; null before the first.',
    }),
    coverage: t.exposeFloat('coverage', {
      nullable: true,
      description:
        'Test coverage in percent: the mean of the jobs that measured it. Null without such a job.',
    }),
  }),
});

export const PipelinePage = pageType('Pipeline', Pipeline);
