import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { createdOrUnchanged } from './entities/created-or-unchanged.ts';
import { issue, issueFields } from './entities/issue.ts';
import { mergeRequest, mergeRequestFields } from './entities/merge-request.ts';
import { noteableIssue, noteableMergeRequest } from './entities/noteable.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s, selected, shaped, shapeOf } from './kernel/shape.ts';

const projectFields = graphql(
  `fragment TodoProjectFields on Project {
    id name name_with_namespace: fullName path path_with_namespace: fullPath
  }`,
);

const fields = graphql(
  `fragment TodoFields on Todo {
    id action state body targetUrl createdAt updatedAt
    author { ...BasicUserFields }
    project { ...TodoProjectFields }
    issue { ...IssueFields }
    mergeRequest { ...MergeRequestFields }
  }`,
  [basicUserFields, projectFields, issueFields, mergeRequestFields],
);

const todo = shaped(
  entity('Todo', {
    id: s.id().describe('The id of the to-do.'),
    project: selected(projectFields).describe('The project of the target.'),
    author: selected(basicUserFields).nullable().describe('The user who caused it.'),
    action_name: s.text().describe('Why the caller has it, such as `assigned`.'),
    target_type: s.choice(['Issue', 'MergeRequest']).describe('What waits for the caller.'),
    target: z
      .union([shapeOf(issue), shapeOf(mergeRequest)])
      .describe('The issue or merge request.'),
    target_url: s.url().describe('The page of the target.'),
    body: s.text().describe('The text that mentions the caller, or the title of the target.'),
    state: s.choice(['pending', 'done']).describe('Whether it still waits.'),
    created_at: s.time().describe('When it was created.'),
    updated_at: s.time().describe('When it last changed.'),
  }),
  (record: ResultOf<typeof fields>) => ({
    id: record.id,
    project: record.project,
    author: record.author,
    action_name: record.action,
    ...targetOf(record),
    target_url: record.targetUrl,
    body: record.body,
    state: record.state,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  }),
);

function targetOf(record: Pick<ResultOf<typeof fields>, 'id' | 'issue' | 'mergeRequest'>) {
  if (record.issue) return { target_type: 'Issue' as const, target: issue(record.issue) };
  if (!record.mergeRequest) throw new Error(`the to-do ${record.id} has no target`);
  return { target_type: 'MergeRequest' as const, target: mergeRequest(record.mergeRequest) };
}

const actions = [
  'assigned',
  'mentioned',
  'directly_addressed',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
] as const;

const all = { path: '/todos', access: 'signed in' } as const;

const list = route({
  ...all,
  method: 'get',
  params: z.object({
    action: p.choice(actions).optional(),
    author_id: p.id().optional(),
    project_id: p.id().optional(),
    group_id: p.id().optional(),
    state: p.choice(['pending', 'done']).default('pending'),
    type: p
      .mapped({ Issue: 'issue', MergeRequest: 'mergeRequest' } as const)
      .optional()
      .describe('Only to-dos about issues, or about merge requests.'),
  }),
  document: graphql(
    `query Todos(
      $action: TodoAction, $author_id: Int, $project_id: Int, $group_id: Int, $state: TodoState,
      $type: TodoTarget, $page: Int, $perPage: Int
    ) {
      page: todos(
        filter: {
          todoAction: $action, authorId: $author_id, projectId: $project_id, groupId: $group_id,
          state: $state, target: $type
        }
        page: $page, perPage: $perPage
      ) { total nodes { ...TodoFields } }
    }`,
    [fields],
  ),
  reshape: todo,
});

const markDone = route({
  method: 'post',
  path: '/todos/:todo_id/mark_as_done',
  access: 'signed in',
  params: z.object({ todo_id: p.id() }),
  document: graphql(
    `mutation MarkTodoDone($todo_id: Int!) {
      result: markTodoDone(id: $todo_id) { ...TodoFields }
    }`,
    [fields],
  ),
  reshape: todo,
});

const markAllDone = route({
  method: 'post',
  path: '/todos/mark_as_done',
  access: 'signed in',
  params: z.object({}),
  document: graphql('mutation MarkTodosDone { markTodosDone }'),
});

const createOnIssue = route({
  ...createdOrUnchanged,
  path: `${noteableIssue.path}/todo`,
  params: z.object({ ...ref, issue_iid: p.id() }),
  document: graphql(
    `mutation CreateIssueTodo($id: ID!, $issue_iid: Int!) {
      change: createIssueTodo(project: $id, iid: $issue_iid) {
        hasChanged result: todo { ...TodoFields }
      }
    }`,
    [fields],
  ),
  reshape: todo,
});

const createOnMergeRequest = route({
  ...createdOrUnchanged,
  path: `${noteableMergeRequest.path}/todo`,
  params: z.object({ ...ref, merge_request_iid: p.id() }),
  document: graphql(
    `mutation CreateMergeRequestTodo($id: ID!, $merge_request_iid: Int!) {
      change: createMergeRequestTodo(project: $id, iid: $merge_request_iid) {
        hasChanged result: todo { ...TodoFields }
      }
    }`,
    [fields],
  ),
  reshape: todo,
});

export const todos = [list, markAllDone, markDone, createOnIssue, createOnMergeRequest];
