import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { mayRead } from './entities/repository.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const statusFields = graphql(
  `
    fragment CommitStatusFields on CommitStatus {
      id sha ref state name targetUrl description createdAt startedAt finishedAt allowFailure
      coverage author { ...BasicUserFields }
    }
  `,
  [basicUserFields],
);

const status = (found: ResultOf<typeof statusFields>) => ({
  id: found.id,
  sha: found.sha,
  ref: found.ref,
  status: found.state,
  name: found.name,
  target_url: found.targetUrl,
  description: found.description,
  created_at: found.createdAt,
  started_at: found.startedAt,
  finished_at: found.finishedAt,
  allow_failure: found.allowFailure,
  coverage: found.coverage,
  author: found.author,
});

const list = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/statuses',
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
      $project: ID!, $sha: String!, $filter: CommitStatusFilter, $page: Int, $perPage: Int
    ) {
      repository(project: $project) {
        commit(ref: $sha) {
          page: statuses(filter: $filter, page: $page, perPage: $perPage) {
            total nodes { ...CommitStatusFields }
          }
        }
      }
    }`,
    [statusFields],
  ),
  variables: ({ id, sha, ref: of, name, stage, all, page, perPage }) => ({
    project: id,
    sha,
    filter: { ref: of, name, stage, isAll: all },
    page,
    perPage,
  }),
  reshape: status,
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
    `mutation SetCommitStatus($project: ID!, $sha: String!, $status: CommitStatusInput!) {
      result: setCommitStatus(project: $project, sha: $sha, status: $status) { ...CommitStatusFields }
    }`,
    [statusFields],
  ),
  variables: ({ id, sha, state, name, context, target_url, ...given }) => ({
    project: id,
    sha,
    status: {
      state,
      name: name || context || 'default',
      ref: given.ref,
      targetUrl: target_url,
      description: given.description,
      coverage: given.coverage,
    },
  }),
  reshape: status,
});

export const commitStatuses = [list, create];
