import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { mayRead } from './entities/repository.ts';
import { basicUser, basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

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

const commitStates = ['pending', 'running', 'success', 'failed', 'canceled'] as const;

const commitStatus = entity('CommitStatus', {
  id: s.id(),
  sha: s.text(),
  ref: s.text().nullable(),
  status: s.choice(commitStates),
  name: s.text(),
  target_url: s.url().nullable(),
  description: s.text().nullable(),
  created_at: s.time(),
  started_at: s.time().nullable(),
  finished_at: s.time().nullable(),
  allow_failure: s.flag(),
  coverage: s.number().nullable(),
  author: basicUser.nullable(),
});

const list = route({
  method: 'get',
  path: '/projects/:id/repository/commits/:sha/statuses',
  access: 'signed in',
  before: mayRead,
  title: 'List the statuses of a commit',
  params: z.object({
    ...ref,
    sha: p.text(),
    ref: p.text().optional(),
    stage: p.text().optional(),
    name: p.text().optional(),
    all: p.flag().describe('Whether to include statuses that newer ones replaced.').optional(),
  }),
  document: graphql(
    `query CommitStatuses(
      $id: ID!, $sha: String!, $filter: CommitStatusFilter, $page: Int, $perPage: Int
    ) {
      repository(project: $id) {
        commit(ref: $sha) {
          page: statuses(filter: $filter, page: $page, perPage: $perPage) {
            total nodes { ...CommitStatusFields }
          }
        }
      }
    }`,
    [statusFields],
  ),
  response: commitStatus,
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
  title: 'Set a status of a commit',
  params: z.object({
    ...ref,
    sha: p.text(),
    state: p.choice(commitStates),
    ref: p.text().optional(),
    name: p.text().optional(),
    context: p.text().describe('Another name of `name`.').optional(),
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
  response: commitStatus,
  variables: ({ id, sha, name, context, target_url: targetUrl, ...status }) => ({
    id,
    sha,
    status: { ...status, name: name || context || 'default', targetUrl },
  }),
});

export const commitStatuses = [list, create];
