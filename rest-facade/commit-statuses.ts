import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { mayRead } from './entities/repository.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const statusFields = graphql(
  `
    fragment CommitStatusFields on CommitStatus {
      id sha ref status: state name target_url: targetUrl description created_at: createdAt
      started_at: startedAt finished_at: finishedAt allow_failure: allowFailure coverage
      author { ...BasicUserFields }
    }
  `,
  [basicUserFields],
);

/** The same of an external status or of a job. */
const checkFields = graphql(
  `
    fragment CommitCheckFields on CommitCheck {
      id sha ref status name target_url: targetUrl description created_at: createdAt
      started_at: startedAt finished_at: finishedAt allow_failure: allowFailure coverage
      author { ...BasicUserFields }
    }
  `,
  [basicUserFields],
);

const list = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/statuses',
  description: 'External statuses first, then the jobs of the pipelines of the commit.',
  access: 'signed in',
  before: mayRead,
  params: z.object({
    ...ref,
    sha: p.text(),
    ref: p.text().optional(),
    stage: p.text().optional(),
    name: p.text().optional(),
    all: p.flag().optional(),
  }),
  document: graphql(
    `query CommitStatuses(
      $id: ID!, $sha: String!, $filter: CommitStatusFilter, $page: Int, $perPage: Int
    ) {
      repository(project: $id) {
        commit(ref: $sha) {
          page: checks(filter: $filter, page: $page, perPage: $perPage) {
            total nodes { ...CommitCheckFields }
          }
        }
      }
    }`,
    [checkFields],
  ),
  variables: ({ ref: of, name, stage, all, ...params }) => ({
    ...params,
    filter: { ref: of, name, stage, includesReplaced: all },
  }),
});

const create = route({
  method: 'post',
  path: '/projects/:id/statuses/:sha',
  access: 'signed in',
  before: mayRead,
  params: z.object({
    ...ref,
    sha: p.text(),
    state: p.choice(['pending', 'running', 'success', 'failed', 'canceled']),
    ref: p.text().optional(),
    name: p.text().optional(),
    /** Another name of `name`. */
    context: p.text().optional(),
    target_url: p.orNone(p.text()).optional(),
    description: p.orNone(p.text()).optional(),
    coverage: p.decimal().optional(),
  }),
  document: graphql(
    `mutation SetCommitStatus($id: ID!, $sha: String!, $status: CommitStatusInput!) {
      result: setCommitStatus(project: $id, sha: $sha, status: $status) {
        ...CommitStatusFields
      }
    }`,
    [statusFields],
  ),
  variables: ({ id, sha, name, context, target_url: targetUrl, ...status }) => ({
    id,
    sha,
    status: { ...status, name: name || context || 'default', targetUrl },
  }),
});

export const commitStatuses = [list, create];
