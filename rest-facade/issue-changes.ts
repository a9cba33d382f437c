import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { fullIssue, fullIssueFields } from './entities/issue.ts';
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
}

/** 0 clears the assignees. */
function assigneesOf({ assignee_ids: many, assignee_id: single }: IssueParams) {
  if (many === null) return [];
  const assignees = many ?? (single === undefined ? undefined : [single ?? 0]);
  return assignees?.filter((id) => id !== 0);
}

/** 0 clears the milestone. */
const milestoneOf = ({ milestone_id: id }: IssueParams) => (id === 0 ? null : id);

const create = route({
  method: 'post',
  path: '/projects/:id/issues',
  access: 'signed in',
  params: z.object({ ...ref, title: p.text(), ...issueParams }),
  document: graphql(
    `mutation CreateIssue($project: ID!, $issue: NewIssue!) {
      result: createIssue(project: $project, issue: $issue) { ...FullIssueFields }
    }`,
    [fullIssueFields],
  ),
  variables: (params) => ({
    project: params.id,
    issue: {
      title: params.title,
      description: params.description,
      isConfidential: params.confidential,
      dueDate: params.due_date,
      milestoneId: milestoneOf(params),
      assigneeIds: assigneesOf(params),
      labels: params.labels ?? undefined,
      createdAt: params.created_at,
    },
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
    `mutation UpdateIssue($project: ID!, $iid: Int!, $change: IssueChange!) {
      result: updateIssue(project: $project, iid: $iid, change: $change) { ...FullIssueFields }
    }`,
    [fullIssueFields],
  ),
  variables: (params) => ({
    project: params.id,
    iid: params.issue_iid,
    change: {
      title: params.title,
      description: params.description,
      stateEvent: params.state_event,
      isConfidential: params.confidential,
      isDiscussionLocked: params.discussion_locked,
      dueDate: params.due_date,
      milestoneId: milestoneOf(params),
      assigneeIds: assigneesOf(params),
      labels: params.labels === null ? [] : params.labels,
      addLabels: params.add_labels,
      removeLabels: params.remove_labels,
      createdAt: params.created_at,
      updatedAt: params.updated_at,
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
    `mutation DeleteIssue($project: ID!, $iid: Int!) {
      deleteIssue(project: $project, iid: $iid)
    }`,
  ),
  variables: ({ id, issue_iid: iid }) => ({ project: id, iid }),
});

const move = route({
  method: 'post',
  path: '/projects/:id/issues/:issue_iid/move',
  access: 'signed in',
  params: z.object({ ...issueRef, to_project_id: p.id() }),
  document: graphql(
    `mutation MoveIssue($project: ID!, $iid: Int!, $to: ID!) {
      result: moveIssue(project: $project, iid: $iid, to: $to) { ...FullIssueFields }
    }`,
    [fullIssueFields],
  ),
  variables: ({ id, issue_iid: iid, to_project_id: to }) => ({
    project: id,
    iid,
    to: String(to),
  }),
  reshape: fullIssue,
});

export const issueChanges = [create, update, remove, move];
