import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { job, jobFields } from './entities/job.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const statuses = [
  'created',
  'pending',
  'running',
  'failed',
  'success',
  'canceled',
  'skipped',
  'manual',
] as const;

const scope = p.choices(statuses).optional();

/** None asked for is all of them. */
const asked = <Item>(items: readonly Item[] | undefined) =>
  items && items.length > 0 ? items : undefined;

const list = route({
  method: 'get',
  path: '/projects/:id/jobs',
  access: 'signed in',
  params: z.object({ ...ref, scope }),
  document: graphql(
    `query Jobs($project: ID!, $scope: [CiStatus!], $page: Int, $perPage: Int) {
      page: jobs(project: $project, scope: $scope, page: $page, perPage: $perPage) {
        total nodes { ...JobFields }
      }
    }`,
    [jobFields],
  ),
  variables: ({ id, scope, page, perPage }) => ({
    project: id,
    scope: asked(scope),
    page,
    perPage,
  }),
  reshape: job,
});

const listOfPipeline = route({
  method: 'get',
  path: '/projects/:id/pipelines/:pipeline_id/jobs',
  access: 'signed in',
  params: z.object({
    ...ref,
    pipeline_id: p.id(),
    scope,
    /** What later clients say to leave out what was tried again. */
    include_retried: p.flag().optional(),
  }),
  document: graphql(
    `query PipelineJobs(
      $project: ID!, $pipeline: Int!, $scope: [CiStatus!], $includesRetried: Boolean
      $page: Int, $perPage: Int
    ) {
      page: pipelineJobs(
        project: $project, pipeline: $pipeline, scope: $scope, includesRetried: $includesRetried
        page: $page, perPage: $perPage
      ) { total nodes { ...JobFields } }
    }`,
    [jobFields],
  ),
  variables: ({ id, pipeline_id, scope, include_retried, page, perPage }) => ({
    project: id,
    pipeline: pipeline_id,
    scope: asked(scope),
    includesRetried: include_retried,
    page,
    perPage,
  }),
  reshape: job,
});

const listOfRunner = route({
  method: 'get',
  path: '/runners/:id/jobs',
  access: 'signed in',
  params: z.object({
    id: p.id(),
    status: p.choice(statuses).optional(),
    order_by: p.choice(['id']).optional(),
    sort: p.choice(['asc', 'desc']).optional(),
  }),
  document: graphql(
    `query RunnerJobs(
      $runner: Int!, $status: CiStatus, $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: runnerJobs(runner: $runner, status: $status, sort: $sort, page: $page, perPage: $perPage) {
        total
        nodes {
          ...JobFields
          project {
            id description name name_with_namespace: fullName
            path path_with_namespace: fullPath created_at: createdAt
          }
        }
      }
    }`,
    [jobFields],
  ),
  variables: ({ id, order_by: _order, ...asked }) => ({ runner: id, ...asked }),
  reshape: ({ project, ...record }) => ({ ...job(record), project }),
});

const params = z.object({ ...ref, job_id: p.id() });
const variables = ({ id, job_id }: z.infer<typeof params>) => ({ project: id, id: job_id });
const one = { access: 'signed in', params, variables } as const;

const show = route({
  ...one,
  method: 'get',
  path: '/projects/:id/jobs/:job_id',
  document: graphql(
    `query Job($project: ID!, $id: Int!) { result: job(project: $project, id: $id) { ...JobFields } }`,
    [jobFields],
  ),
  reshape: job,
});

const cancel = route({
  ...one,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/cancel',
  document: graphql(
    `mutation CancelJob($project: ID!, $id: Int!) {
      result: cancelJob(project: $project, id: $id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const retry = route({
  ...one,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/retry',
  document: graphql(
    `mutation RetryJob($project: ID!, $id: Int!) {
      result: retryJob(project: $project, id: $id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const play = route({
  ...one,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/play',
  status: 200,
  document: graphql(
    `mutation PlayJob($project: ID!, $id: Int!) {
      result: playJob(project: $project, id: $id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const erase = route({
  ...one,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/erase',
  document: graphql(
    `mutation EraseJob($project: ID!, $id: Int!) {
      result: eraseJob(project: $project, id: $id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const keep = route({
  ...one,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/artifacts/keep',
  status: 200,
  document: graphql(
    `mutation KeepArtifacts($project: ID!, $id: Int!) {
      result: keepArtifacts(project: $project, id: $id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const removeArtifacts = route({
  ...one,
  method: 'delete',
  path: '/projects/:id/jobs/:job_id/artifacts',
  document: graphql(
    `mutation DeleteArtifacts($project: ID!, $id: Int!) {
      deleteArtifacts(project: $project, id: $id)
    }`,
  ),
});

/** What is told of jobs, and done with them; their files are in `job-downloads.ts`. */
export const jobs = [
  list,
  listOfPipeline,
  listOfRunner,
  show,
  cancel,
  retry,
  play,
  erase,
  keep,
  removeArtifacts,
];
