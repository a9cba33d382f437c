import { graphql, type ResultOf, type VariablesOf } from '../../../schema/client/graphql.ts';
import { perPage } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { personFields } from '../kernel/people.ts';
import { labelMarkFields } from '../labels/label-mark.ts';
import { filterOf, type ListQuery, orderOf } from './list-query.ts';
import type { ListedItem, ListedPage, ListScope } from './listed.ts';

const fields = graphql(
  `fragment ListedIssues on IssuePage {
    total nodes {
      iid title state isConfidential isDiscussionLocked createdAt dueDate userNotesCount upvotes
      labels { ...LabelMarkFields } milestone { title }
      author { ...PersonFields } assignees { ...PersonFields } project { fullPath }
    }
  }`,
  [labelMarkFields, personFields],
);

const inProject = graphql(
  `query ProjectIssueList(
    $id: ID!, $filter: IssueFilter!, $opened: IssueFilter!, $closed: IssueFilter!
    $orderBy: IssueOrder!, $sort: SortDirection!, $page: Int!, $perPage: Int!
  ) {
    list: projectIssues(
      project: $id, filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
    ) { ...ListedIssues }
    opened: projectIssues(project: $id, filter: $opened, perPage: 1) { total }
    closed: projectIssues(project: $id, filter: $closed, perPage: 1) { total }
  }`,
  [fields],
);

const inGroup = graphql(
  `query GroupIssueList(
    $id: ID!, $filter: IssueFilter!, $opened: IssueFilter!, $closed: IssueFilter!
    $orderBy: IssueOrder!, $sort: SortDirection!, $page: Int!, $perPage: Int!
  ) {
    list: groupIssues(
      group: $id, filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
    ) { ...ListedIssues }
    opened: groupIssues(group: $id, filter: $opened, perPage: 1) { total }
    closed: groupIssues(group: $id, filter: $closed, perPage: 1) { total }
  }`,
  [fields],
);

const everywhere = graphql(
  `query DashboardIssueList(
    $filter: IssueFilter!, $opened: IssueFilter!, $closed: IssueFilter!
    $orderBy: IssueOrder!, $sort: SortDirection!, $page: Int!, $perPage: Int!
  ) {
    list: issues(filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage) {
      ...ListedIssues
    }
    opened: issues(filter: $opened, perPage: 1) { total }
    closed: issues(filter: $closed, perPage: 1) { total }
  }`,
  [fields],
);

/** A page of the issues of a project, a group, or all projects. */
export async function readIssues(
  visit: Visit,
  scope: ListScope,
  query: ListQuery,
  page: number,
): Promise<ListedPage> {
  const rest = filterOf(query, scope.kind === 'dashboard');
  const { state } = query;
  const variables = {
    filter: state === 'opened' || state === 'closed' ? { ...rest, state } : rest,
    opened: { ...rest, state: 'opened' as const },
    closed: { ...rest, state: 'closed' as const },
    ...orderOf(query),
    page,
    perPage,
  };
  const { list, opened, closed } = await ask(visit, scope, variables);
  const all = opened.total + closed.total;
  const counts = new Map([
    ['opened', opened.total],
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

type Issue = ResultOf<typeof fields>['nodes'][number];

const itemOf = (issue: Issue): ListedItem => ({
  ...issue,
  projectPath: issue.project?.fullPath ?? '',
  isDraft: false,
  branches: null,
});
