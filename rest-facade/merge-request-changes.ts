import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { fullMergeRequest, fullMergeRequestFields } from './entities/merge-request.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const mergeRequestRef = { ...ref, merge_request_iid: p.id() };

const mergeRequestParams = {
  description: p.orNone(p.text()).optional(),
  assignee_id: p.orNone(p.int()).optional(),
  milestone_id: p.orNone(p.int()).optional(),
  labels: p.list().optional(),
  remove_source_branch: p.flag().optional(),
};

/** 0 clears the assignee or milestone. */
const idOrNone = (id: number | null | undefined) => (id === 0 ? null : id);

const create = route({
  method: 'post',
  path: '/projects/:id/merge_requests',
  access: 'signed in',
  params: z.object({
    ...ref,
    title: p.text(),
    source_branch: p.text(),
    target_branch: p.text(),
    target_project_id: p.id().optional(),
    ...mergeRequestParams,
  }),
  document: graphql(
    `mutation CreateMergeRequest($project: ID!, $mergeRequest: NewMergeRequest!) {
      result: createMergeRequest(project: $project, mergeRequest: $mergeRequest) {
        ...FullMergeRequestFields
      }
    }`,
    [fullMergeRequestFields],
  ),
  variables: (params) => ({
    project: params.id,
    mergeRequest: {
      title: params.title,
      sourceBranch: params.source_branch,
      targetBranch: params.target_branch,
      targetProject:
        params.target_project_id === undefined ? undefined : String(params.target_project_id),
      description: params.description,
      assigneeId: idOrNone(params.assignee_id),
      milestoneId: idOrNone(params.milestone_id),
      labels: params.labels,
      removesSourceBranch: params.remove_source_branch,
    },
  }),
  reshape: fullMergeRequest,
});

const update = route({
  method: 'put',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  access: 'signed in',
  params: atLeastOne(
    z.object({
      ...mergeRequestRef,
      ...mergeRequestParams,
      title: p.text().optional(),
      target_branch: p.text().optional(),
      discussion_locked: p.flag().optional(),
      state_event: p.choice(['close', 'reopen']).optional(),
    }),
    'assignee_id',
    'description',
    'discussion_locked',
    'labels',
    'milestone_id',
    'remove_source_branch',
    'state_event',
    'target_branch',
    'title',
  ),
  document: graphql(
    `mutation UpdateMergeRequest($project: ID!, $iid: Int!, $change: MergeRequestChange!) {
      result: updateMergeRequest(project: $project, iid: $iid, change: $change) {
        ...FullMergeRequestFields
      }
    }`,
    [fullMergeRequestFields],
  ),
  variables: (params) => ({
    project: params.id,
    iid: params.merge_request_iid,
    change: {
      title: params.title,
      description: params.description,
      targetBranch: params.target_branch,
      stateEvent: params.state_event,
      isDiscussionLocked: params.discussion_locked,
      removesSourceBranch: params.remove_source_branch,
      assigneeId: idOrNone(params.assignee_id),
      milestoneId: idOrNone(params.milestone_id),
      labels: params.labels,
    },
  }),
  reshape: fullMergeRequest,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  access: 'signed in',
  params: z.object(mergeRequestRef),
  document: graphql(
    `mutation DeleteMergeRequest($project: ID!, $iid: Int!) {
      deleteMergeRequest(project: $project, iid: $iid)
    }`,
  ),
  variables: ({ id, merge_request_iid: iid }) => ({ project: id, iid }),
});

export const mergeRequestChanges = [create, update, remove];
