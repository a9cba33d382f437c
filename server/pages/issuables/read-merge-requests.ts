import { graphql, type ResultOf, type VariablesOf } from '../../../schema/client/graphql.ts';
import { perPage } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { personFields } from '../kernel/people.ts';
import { labelMarkFields } from '../labels/label-mark.ts';
import { filterOf, type ListQuery, orderOf } from './list-query.ts';
import type { ListedItem, ListedPage, ListScope } from './listed.ts';

const fields = graphql(
  `fragment ListedMergeRequests on MergeRequestPage {
    total nodes {
      iid title state isWorkInProgress isDiscussionLocked createdAt userNotesCount upvotes
      sourceBranch targetBranch labels { ...LabelMarkFields } milestone { title }
      author { ...PersonFields } assignee { ...PersonFields } targetProject { fullPath }
    }
  }`,
  [labelMarkFields, personFields],
);

const inProject = graphql(
  `query ProjectMergeRequestList(
    $id: ID!, $filter: MergeRequestFilter!, $opened: MergeRequestFilter!, $closed: MergeRequestFilter!
    $merged: MergeRequestFilter!, $orderBy: MergeRequestOrder!, $sort: SortDirection!, $page: Int!, $perPage: Int!
  ) {
    list: projectMergeRequests(
      project: $id, filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
    ) { ...ListedMergeRequests }
    opened: projectMergeRequests(project: $id, filter: $opened, perPage: 1) { total }
    closed: projectMergeRequests(project: $id, filter: $closed, perPage: 1) { total }
    merged: projectMergeRequests(project: $id, filter: $merged, perPage: 1) { total }
  }`,
  [fields],
);

const inGroup = graphql(
  `query GroupMergeRequestList(
    $id: ID!, $filter: MergeRequestFilter!, $opened: MergeRequestFilter!, $closed: MergeRequestFilter!
    $merged: MergeRequestFilter!, $orderBy: MergeRequestOrder!, $sort: SortDirection!, $page: Int!, $perPage: Int!
  ) {
    list: groupMergeRequests(
      group: $id, filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
    ) { ...ListedMergeRequests }
    opened: groupMergeRequests(group: $id, filter: $opened, perPage: 1) { total }
    closed: groupMergeRequests(group: $id, filter: $closed, perPage: 1) { total }
    merged: groupMergeRequests(group: $id, filter: $merged, perPage: 1) { total }
  }`,
  [fields],
);

const everywhere = graphql(
  `query DashboardMergeRequestList(
    $filter: MergeRequestFilter!, $opened: MergeRequestFilter!, $closed: MergeRequestFilter!
    $merged: MergeRequestFilter!, $orderBy: MergeRequestOrder!, $sort: SortDirection!, $page: Int!, $perPage: Int!
  ) {
    list: mergeRequests(filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage) {
      ...ListedMergeRequests
    }
    opened: mergeRequests(filter: $opened, perPage: 1) { total }
    closed: mergeRequests(filter: $closed, perPage: 1) { total }
    merged: mergeRequests(filter: $merged, perPage: 1) { total }
  }`,
  [fields],
);

/** A page of the merge requests of a project, a group, or all projects. */
export async function readMergeRequests(
  visit: Visit,
  scope: ListScope,
  query: ListQuery,
  page: number,
): Promise<ListedPage> {
  const rest = filterOf(query, scope.kind === 'dashboard');
  const { state } = query;
  const variables = {
    filter: state === 'all' ? rest : { ...rest, state },
    opened: { ...rest, state: 'opened' as const },
    closed: { ...rest, state: 'closed' as const },
    merged: { ...rest, state: 'merged' as const },
    ...orderOf(query),
    page,
    perPage,
  };
  const { list, opened, closed, merged } = await ask(visit, scope, variables);
  const all = opened.total + closed.total + merged.total;
  const counts = new Map([
    ['opened', opened.total],
    ['merged', merged.total],
    ['closed', closed.total],
    ['all', all],
  ]);
  return { total: list.total, counts, items: list.nodes.map(itemOf) };
}

function ask(visit: Visit, scope: ListScope, variables: Omit<VariablesOf<typeof inGroup>, 'id'>) {
  if (scope.kind === 'dashboard') return visit.ask(everywhere, variables);
  const id = String(scope.owner.id);
  return visit.ask(scope.kind === 'project' ? inProject : inGroup, { ...variables, id });
}

type MergeRequest = ResultOf<typeof fields>['nodes'][number];

const itemOf = (mergeRequest: MergeRequest): ListedItem => ({
  ...mergeRequest,
  projectPath: mergeRequest.targetProject.fullPath,
  isConfidential: false,
  isDraft: mergeRequest.isWorkInProgress,
  dueDate: null,
  assignees: mergeRequest.assignee ? [mergeRequest.assignee] : [],
  branches: [mergeRequest.sourceBranch, mergeRequest.targetBranch],
});
