import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { issuableListing, issueListingParams } from './entities/issuable-listing.ts';
import { fullIssue, fullIssueFields, issue, issueFields } from './entities/issue.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = route({
  method: 'get',
  path: '/issues',
  access: 'signed in',
  params: z.object(issueListingParams),
  document: graphql(
    `query Issues(
      $filter: IssueFilter, $order_by: IssueOrder, $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: issues(filter: $filter, orderBy: $order_by, sort: $sort, page: $page, perPage: $perPage) {
        total nodes { ...IssueFields }
      }
    }`,
    [issueFields],
  ),
  variables: (params) => issuableListing(params, 'createdByMe'),
  reshape: issue,
});

const listOfGroup = route({
  method: 'get',
  path: '/groups/:id/issues',
  access: 'signed in',
  params: z.object({ ...ref, ...issueListingParams }),
  document: graphql(
    `query GroupIssues(
      $id: ID!, $filter: IssueFilter, $order_by: IssueOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: groupIssues(
        group: $id, filter: $filter, orderBy: $order_by, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...IssueFields } }
    }`,
    [issueFields],
  ),
  variables: ({ id, ...params }) => ({ id, ...issuableListing(params, 'all') }),
  reshape: issue,
});

const listOfProject = route({
  method: 'get',
  path: '/projects/:id/issues',
  access: 'signed in',
  params: z.object({ ...ref, ...issueListingParams }),
  document: graphql(
    `query ProjectIssues(
      $id: ID!, $filter: IssueFilter, $order_by: IssueOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: projectIssues(
        project: $id, filter: $filter, orderBy: $order_by, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...IssueFields } }
    }`,
    [issueFields],
  ),
  variables: ({ id, ...params }) => ({ id, ...issuableListing(params, 'all') }),
  reshape: issue,
});

const show = route({
  method: 'get',
  path: '/projects/:id/issues/:issue_iid',
  access: 'signed in',
  params: z.object({ ...ref, issue_iid: p.id() }),
  document: graphql(
    `query Issue($id: ID!, $issue_iid: Int!) {
      result: issue(project: $id, iid: $issue_iid) { ...FullIssueFields }
    }`,
    [fullIssueFields],
  ),
  reshape: fullIssue,
});

export const issues = [list, listOfGroup, listOfProject, show];
