import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import {
  foundIssue,
  foundMergeRequest,
  foundMilestone,
  foundProject,
  foundUser,
  issueRow,
  mergeRequestRow,
  milestoneRow,
  projectRow,
  userRow,
} from './rows.ts';
import { type RowContext, rowsOf, type Scope, scopeOf } from './scope.ts';

const memberRow = (context: RowContext, { user }: { readonly user: ResultOf<typeof foundUser> }) =>
  userRow(context, user);

/** The kinds of results of a search in a group. */
export const inGroup: readonly Scope[] = [
  scopeOf({
    word: 'projects',
    name: 'Projects',
    document: graphql(
      `query FindGroupProjects($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
        group(id: $id) {
          page: projects(
            filter: { search: $search, archived: include }, includesSubgroups: true
            page: $page, perPage: $perPage
          ) { total nodes { ...FoundProject } }
        }
      }`,
      [foundProject],
    ),
    found: ({ group }, context) => rowsOf(context, group.page, projectRow),
  }),
  scopeOf({
    word: 'issues',
    name: 'Issues',
    document: graphql(
      `query FindGroupIssues($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
        page: groupIssues(group: $id, filter: { search: $search }, page: $page, perPage: $perPage) {
          total nodes { ...FoundIssue }
        }
      }`,
      [foundIssue],
    ),
    found: ({ page }, context) => rowsOf(context, page, issueRow),
  }),
  scopeOf({
    word: 'merge_requests',
    name: 'Merge requests',
    document: graphql(
      `query FindGroupMergeRequests($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
        page: groupMergeRequests(
          group: $id, filter: { search: $search }, page: $page, perPage: $perPage
        ) { total nodes { ...FoundMergeRequest } }
      }`,
      [foundMergeRequest],
    ),
    found: ({ page }, context) => rowsOf(context, page, mergeRequestRow),
  }),
  scopeOf({
    word: 'milestones',
    name: 'Milestones',
    document: graphql(
      `query FindGroupMilestones($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
        page: groupMilestones(
          group: $id, filter: { search: $search }, page: $page, perPage: $perPage
        ) { total nodes { ...FoundMilestone } }
      }`,
      [foundMilestone],
    ),
    found: ({ page }, context) => rowsOf(context, page, milestoneRow),
  }),
  scopeOf({
    word: 'users',
    name: 'Members',
    document: graphql(
      `query FindGroupMembers($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
        page: allMembers(
          source: { group: $id }, filter: { search: $search }, page: $page, perPage: $perPage
        ) { total nodes { user { ...FoundUser } } }
      }`,
      [foundUser],
    ),
    found: ({ page }, context) => rowsOf(context, page, memberRow),
  }),
];
