import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { job, jobFields, jobShapes } from './entities/job.ts';
import { filterList, p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed } from './kernel/shape.ts';

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

const runnerJobFields = graphql(
  `fragment RunnerJobFields on Job {
    ...JobFields
    project {
      id description name name_with_namespace: fullName
      path path_with_namespace: fullPath created_at: createdAt
    }
  }`,
  [jobFields],
);

const scope = filterList(p.choices(statuses));

const list = route({
  method: 'get',
  path: '/projects/:id/jobs',
  access: 'signed in',
  params: z.object({ ...ref, scope }),
  document: graphql(
    `query Jobs($id: ID!, $scope: [CiStatus!], $page: Int, $perPage: Int) {
      page: jobs(project: $id, filter: { statuses: $scope }, page: $page, perPage: $perPage) {
        total nodes { ...JobFields }
      }
    }`,
    [jobFields],
  ),
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
    /** Later clients send false to leave out jobs that were retried. */
    include_retried: p.flag().optional(),
  }),
  document: graphql(
    `query PipelineJobs(
      $id: ID!, $pipeline_id: Int!, $scope: [CiStatus!], $include_retried: Boolean
      $page: Int, $perPage: Int
    ) {
      page: pipelineJobs(
        project: $id, pipeline: $pipeline_id
        filter: { statuses: $scope, includesRetried: $include_retried }
        page: $page, perPage: $perPage
      ) { total nodes { ...JobFields } }
    }`,
    [jobFields],
  ),
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
      $id: Int!, $statuses: [CiStatus!], $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: runnerJobs(
        runner: $id, filter: { statuses: $statuses }, sort: $sort, page: $page, perPage: $perPage
      ) {
        total
        nodes {
          ...RunnerJobFields
        }
      }
    }`,
    [runnerJobFields],
  ),
  variables: ({ order_by: _order, status, ...rest }) => ({
    ...rest,
    ...(status && { statuses: [status] }),
  }),
  response: changed('RunnerJob', runnerJobFields, [], jobShapes),
  reshape: ({ project, ...record }) => ({ ...job(record), project }),
});

const params = z.object({ ...ref, job_id: p.id() });
const single = { access: 'signed in', params } as const;

const show = route({
  ...single,
  method: 'get',
  path: '/projects/:id/jobs/:job_id',
  document: graphql(
    `query Job($id: ID!, $job_id: Int!) { result: job(project: $id, id: $job_id) { ...JobFields } }`,
    [jobFields],
  ),
  reshape: job,
});

const cancel = route({
  ...single,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/cancel',
  document: graphql(
    `mutation CancelJob($id: ID!, $job_id: Int!) {
      result: cancelJob(project: $id, id: $job_id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const retry = route({
  ...single,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/retry',
  document: graphql(
    `mutation RetryJob($id: ID!, $job_id: Int!) {
      result: retryJob(project: $id, id: $job_id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const play = route({
  ...single,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/play',
  status: 200,
  document: graphql(
    `mutation PlayJob($id: ID!, $job_id: Int!) {
      result: playJob(project: $id, id: $job_id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const erase = route({
  ...single,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/erase',
  document: graphql(
    `mutation EraseJob($id: ID!, $job_id: Int!) {
      result: eraseJob(project: $id, id: $job_id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const keep = route({
  ...single,
  method: 'post',
  path: '/projects/:id/jobs/:job_id/artifacts/keep',
  status: 200,
  document: graphql(
    `mutation KeepArtifacts($id: ID!, $job_id: Int!) {
      result: keepArtifacts(project: $id, id: $job_id) { ...JobFields }
    }`,
    [jobFields],
  ),
  reshape: job,
});

const removeArtifacts = route({
  ...single,
  method: 'delete',
  path: '/projects/:id/jobs/:job_id/artifacts',
  document: graphql(
    `mutation DeleteArtifacts($id: ID!, $job_id: Int!) {
      deleteArtifacts(project: $id, id: $job_id) { id }
    }`,
  ),
});

/** Jobs and actions on them; their files are in `job-downloads.ts`. */
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
