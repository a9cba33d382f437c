import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { fullIssue, fullIssueFields, issue, issueFields } from './entities/issue.ts';
import { issueListing, issueListingParams } from './entities/issue-listing.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = route({
  method: 'get',
  path: '/issues',
  access: 'signed in',
  params: z.object(issueListingParams),
  document: graphql(
    `query Issues(
      $filter: IssueFilter, $orderBy: IssueOrder, $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: issues(filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage) {
        total nodes { ...IssueFields }
      }
    }`,
    [issueFields],
  ),
  variables: (params) => issueListing(params, 'created-by-me'),
  reshape: issue,
});

const listOfGroup = route({
  method: 'get',
  path: '/groups/:id/issues',
  access: 'signed in',
  params: z.object({ ...ref, ...issueListingParams }),
  document: graphql(
    `query GroupIssues(
      $group: ID!, $filter: IssueFilter, $orderBy: IssueOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: groupIssues(
        group: $group, filter: $filter, orderBy: $orderBy, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...IssueFields } }
    }`,
    [issueFields],
  ),
  variables: ({ id, ...params }) => ({ group: id, ...issueListing(params, 'all') }),
  reshape: issue,
});

const listOfProject = route({
  method: 'get',
  path: '/projects/:id/issues',
  access: 'signed in',
  params: z.object({ ...ref, ...issueListingParams }),
  document: graphql(
    `query ProjectIssues(
      $project: ID!, $filter: IssueFilter, $orderBy: IssueOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: projectIssues(
        project: $project, filter: $filter, orderBy: $orderBy, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...IssueFields } }
    }`,
    [issueFields],
  ),
  variables: ({ id, ...params }) => ({ project: id, ...issueListing(params, 'all') }),
  reshape: issue,
});

const show = route({
  method: 'get',
  path: '/projects/:id/issues/:issue_iid',
  access: 'signed in',
  params: z.object({ ...ref, issue_iid: p.id() }),
  document: graphql(
    `query Issue($project: ID!, $iid: Int!) {
      result: issue(project: $project, iid: $iid) { ...FullIssueFields }
    }`,
    [fullIssueFields],
  ),
  variables: ({ id, issue_iid: iid }) => ({ project: id, iid }),
  reshape: fullIssue,
});

export const issues = [list, listOfGroup, listOfProject, show];
