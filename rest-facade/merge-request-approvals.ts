import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { noteableMergeRequest } from './entities/noteable.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, shaped } from './kernel/shape.ts';

const { path } = noteableMergeRequest;
const mergeRequestRef = { ...ref, merge_request_iid: p.id() };
const since = 'From GitLab 13.2, without approval rules.';

const approvedFields = graphql(
  `
    fragment ApprovedMergeRequestFields on MergeRequest {
      id iid project_id: projectId title description state
      created_at: createdAt updated_at: updatedAt merge_status: mergeStatus
      approved: isApproved approved_by: approvals {
        user { ...BasicUserFields } approved_at: approvedAt
      }
      user_has_approved: isApprovedByMe user_can_approve: canApprove
    }
  `,
  [basicUserFields],
);

/** A merge request with its approvals; there are no rules, so that none is required. */
const approvals = shaped(
  changed('MergeRequestApprovals', approvedFields, [], {
    approvals_required: s.int().describe('Always 0: no approvals are required.'),
    approvals_left: s.int().describe('Always 0.'),
    has_approval_rules: s.flag().describe('Always false.'),
    approval_rules_left: s.list(s.text()).describe('Always empty.'),
    suggested_approvers: s.list(s.text()).describe('Always empty.'),
    approvers: s.list(s.text()).describe('Always empty.'),
    approver_groups: s.list(s.text()).describe('Always empty.'),
  }),
  (mergeRequest: ResultOf<typeof approvedFields>) => ({
    ...mergeRequest,
    approvals_required: 0,
    approvals_left: 0,
    has_approval_rules: false,
    approval_rules_left: [],
    suggested_approvers: [],
    approvers: [],
    approver_groups: [],
  }),
);

const show = route({
  method: 'get',
  path: `${path}/approvals`,
  description: since,
  access: 'anyone',
  params: z.object(mergeRequestRef),
  document: graphql(
    `query MergeRequestApprovals($id: ID!, $merge_request_iid: Int!) {
      result: mergeRequest(project: $id, iid: $merge_request_iid) { ...ApprovedMergeRequestFields }
    }`,
    [approvedFields],
  ),
  reshape: approvals,
});

const approve = route({
  method: 'post',
  path: `${path}/approve`,
  description: `${since} A second approval of the same user is rejected with 401.`,
  statuses: [409],
  access: 'signed in',
  params: z.object({ ...mergeRequestRef, sha: p.text().optional() }),
  document: graphql(
    `mutation ApproveMergeRequest($id: ID!, $merge_request_iid: Int!, $sha: String) {
      result: approveMergeRequest(project: $id, iid: $merge_request_iid, sha: $sha) {
        ...ApprovedMergeRequestFields
      }
    }`,
    [approvedFields],
  ),
  reshape: approvals,
});

const unapprove = route({
  method: 'post',
  path: `${path}/unapprove`,
  description: since,
  access: 'signed in',
  params: z.object(mergeRequestRef),
  document: graphql(
    `mutation UnapproveMergeRequest($id: ID!, $merge_request_iid: Int!) {
      result: unapproveMergeRequest(project: $id, iid: $merge_request_iid) {
        ...ApprovedMergeRequestFields
      }
    }`,
    [approvedFields],
  ),
  reshape: approvals,
});

export const mergeRequestApprovals = [show, approve, unapprove];
