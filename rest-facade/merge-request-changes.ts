import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { fullMergeRequestFields, mergeRequest } from './entities/merge-request.ts';
import { camelCased } from './kernel/case.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOneOf } from './kernel/rules.ts';

const mergeRequestRef = { ...ref, merge_request_iid: p.id() };

const mergeRequestParams = {
  description: p.orNone(p.text()).optional(),
  assignee_id: p.orNone(p.int()).optional(),
  assignee_ids: p
    .intList()
    .nullable()
    .optional()
    .describe('From GitLab 13.8: the first of them is the assignee; none or 0 clears it.'),
  milestone_id: p.orNone(p.int()).optional(),
  labels: p.list().optional(),
  remove_source_branch: p.flag().optional(),
};

/** 0 clears the assignee or milestone. */
const idOrNone = (id: number | null | undefined) => (id === 0 ? null : id);

interface MergeRequestParams {
  readonly assignee_id?: number | null | undefined;
  readonly assignee_ids?: readonly number[] | null | undefined;
  readonly milestone_id?: number | null | undefined;
  readonly remove_source_branch?: boolean | undefined;
}

/** The fields of a new or changed merge request. */
const written = <Params extends MergeRequestParams>({
  assignee_id,
  assignee_ids,
  milestone_id,
  remove_source_branch: forceRemoveSourceBranch,
  ...params
}: Params) => ({
  ...camelCased(params),
  forceRemoveSourceBranch,
  assigneeId: idOrNone(assignee_ids === undefined ? assignee_id : (assignee_ids?.[0] ?? null)),
  milestoneId: idOrNone(milestone_id),
});

const create = route({
  method: 'post',
  path: '/projects/:id/merge_requests',
  statuses: [409, 422],
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
    `mutation CreateMergeRequest($id: ID!, $mergeRequest: NewMergeRequest!) {
      result: createMergeRequest(sourceProject: $id, mergeRequest: $mergeRequest) {
        ...FullMergeRequestFields
      }
    }`,
    [fullMergeRequestFields],
  ),
  variables: ({ id, target_project_id: target, ...params }) => ({
    id,
    mergeRequest: {
      ...written(params),
      targetProject: target === undefined ? undefined : String(target),
    },
  }),
  reshape: mergeRequest,
});

const update = route({
  method: 'put',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  statuses: [409, 422],
  access: 'signed in',
  params: atLeastOneOf(
    z.object({
      ...mergeRequestRef,
      ...mergeRequestParams,
      title: p.text().optional(),
      target_branch: p.text().optional(),
      discussion_locked: p.flag().optional(),
      state_event: p.choice(['close', 'reopen']).optional(),
    }),
    {
      names: [
        'assignee_id',
        'description',
        'discussion_locked',
        'labels',
        'milestone_id',
        'remove_source_branch',
        'state_event',
        'target_branch',
        'title',
      ],
      newer: ['assignee_ids'],
    },
  ),
  document: graphql(
    `mutation UpdateMergeRequest($id: ID!, $merge_request_iid: Int!, $change: MergeRequestChange!) {
      result: updateMergeRequest(project: $id, iid: $merge_request_iid, change: $change) {
        ...FullMergeRequestFields
      }
    }`,
    [fullMergeRequestFields],
  ),
  variables: ({ id, merge_request_iid, discussion_locked: isDiscussionLocked, ...params }) => ({
    id,
    merge_request_iid,
    change: { ...written(params), isDiscussionLocked },
  }),
  reshape: mergeRequest,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  statuses: [409],
  access: 'signed in',
  params: z.object(mergeRequestRef),
  document: graphql(
    `mutation DeleteMergeRequest($id: ID!, $merge_request_iid: Int!) {
      deleteMergeRequest(project: $id, iid: $merge_request_iid)
    }`,
  ),
});

export const mergeRequestChanges = [create, update, remove];
