import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { fullIssue, fullIssueFields } from './entities/issue.ts';
import { camelCased } from './kernel/case.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const issueRef = { ...ref, issue_iid: p.id() };

const issueParams = {
  description: p.orNone(p.text()).optional(),
  assignee_ids: p.intList().nullable().optional(),
  /** A single id instead of the list; 0 clears it. */
  assignee_id: p.orNone(p.int()).optional(),
  milestone_id: p.orNone(p.int()).optional(),
  labels: p.list().nullable().optional(),
  created_at: p.time().optional(),
  due_date: p.orNone(p.date()).optional(),
  confidential: p.flag().optional(),
};

interface IssueParams {
  readonly assignee_ids?: readonly number[] | null | undefined;
  readonly assignee_id?: number | null | undefined;
  readonly milestone_id?: number | null | undefined;
  readonly confidential?: boolean | undefined;
}

/** 0 clears the assignees. */
function assigneesOf({ assignee_ids: many, assignee_id: single }: IssueParams) {
  if (many === null) return [];
  const assignees = many ?? (single === undefined ? undefined : [single ?? 0]);
  return assignees?.filter((id) => id !== 0);
}

/** The fields of a new or changed issue; 0 clears the milestone. */
const written = <Params extends IssueParams>({
  assignee_ids,
  assignee_id,
  milestone_id: milestoneId,
  confidential: isConfidential,
  ...params
}: Params) => ({
  ...camelCased(params),
  isConfidential,
  milestoneId: milestoneId === 0 ? null : milestoneId,
  assigneeIds: assigneesOf({ assignee_ids, assignee_id }),
});

const create = route({
  method: 'post',
  path: '/projects/:id/issues',
  access: 'signed in',
  params: z.object({ ...ref, title: p.text(), ...issueParams }),
  document: graphql(
    `mutation CreateIssue($id: ID!, $issue: NewIssue!) {
      result: createIssue(project: $id, issue: $issue) { ...FullIssueFields }
    }`,
    [fullIssueFields],
  ),
  variables: ({ id, ...params }) => ({
    id,
    issue: { ...written(params), labels: params.labels ?? undefined },
  }),
  reshape: fullIssue,
});

const update = route({
  method: 'put',
  path: '/projects/:id/issues/:issue_iid',
  access: 'signed in',
  params: atLeastOne(
    z.object({
      ...issueRef,
      ...issueParams,
      title: p.text().optional(),
      discussion_locked: p.flag().optional(),
      state_event: p.choice(['close', 'reopen']).optional(),
      add_labels: p.list().optional(),
      remove_labels: p.list().optional(),
      updated_at: p.time().optional(),
    }),
    'title',
    'description',
    'assignee_ids',
    'assignee_id',
    'milestone_id',
    'labels',
    'created_at',
    'due_date',
    'confidential',
    'discussion_locked',
    'state_event',
    'add_labels',
    'remove_labels',
  ),
  document: graphql(
    `mutation UpdateIssue($id: ID!, $issue_iid: Int!, $change: IssueChange!) {
      result: updateIssue(project: $id, iid: $issue_iid, change: $change) { ...FullIssueFields }
    }`,
    [fullIssueFields],
  ),
  variables: ({ id, issue_iid, discussion_locked: isDiscussionLocked, ...params }) => ({
    id,
    issue_iid,
    change: {
      ...written(params),
      isDiscussionLocked,
      labels: params.labels === null ? [] : params.labels,
    },
  }),
  reshape: fullIssue,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/issues/:issue_iid',
  access: 'signed in',
  params: z.object(issueRef),
  document: graphql(
    `mutation DeleteIssue($id: ID!, $issue_iid: Int!) {
      deleteIssue(project: $id, iid: $issue_iid)
    }`,
  ),
});

const move = route({
  method: 'post',
  path: '/projects/:id/issues/:issue_iid/move',
  access: 'signed in',
  params: z.object({ ...issueRef, to_project_id: p.id() }),
  document: graphql(
    `mutation MoveIssue($id: ID!, $issue_iid: Int!, $to_project_id: ID!) {
      result: moveIssue(project: $id, iid: $issue_iid, to: $to_project_id) { ...FullIssueFields }
    }`,
    [fullIssueFields],
  ),
  variables: ({ to_project_id, ...rest }) => ({ ...rest, to_project_id: String(to_project_id) }),
  reshape: fullIssue,
});

export const issueChanges = [create, update, remove, move];
