import { graphql } from '../../../schema/client/graphql.ts';
import {
  foundGroup,
  foundIssue,
  foundMergeRequest,
  foundMilestone,
  foundProject,
  foundSnippet,
  foundUser,
  groupRow,
  issueRow,
  mergeRequestRow,
  milestoneRow,
  projectRow,
  snippetRow,
  userRow,
} from './rows.ts';
import { rowsOf, type Scope, scopeOf } from './scope.ts';

/** The kinds of results of a search in everything that the user may see. */
export const everywhere: readonly Scope[] = [
  scopeOf({
    word: 'projects',
    name: 'Projects',
    document: graphql(
      `query FindProjects($search: String!, $page: Int!, $perPage: Int!) {
        search(query: $search) {
          page: projects(page: $page, perPage: $perPage) { total nodes { ...FoundProject } }
        }
      }`,
      [foundProject],
    ),
    found: ({ search }, context) => rowsOf(context, search.page, projectRow),
  }),
  scopeOf({
    word: 'issues',
    name: 'Issues',
    document: graphql(
      `query FindIssues($search: String!, $page: Int!, $perPage: Int!) {
        search(query: $search) {
          page: issues(page: $page, perPage: $perPage) { total nodes { ...FoundIssue } }
        }
      }`,
      [foundIssue],
    ),
    found: ({ search }, context) => rowsOf(context, search.page, issueRow),
  }),
  scopeOf({
    word: 'merge_requests',
    name: 'Merge requests',
    document: graphql(
      `query FindMergeRequests($search: String!, $page: Int!, $perPage: Int!) {
        search(query: $search) {
          page: mergeRequests(page: $page, perPage: $perPage) { total nodes { ...FoundMergeRequest } }
        }
      }`,
      [foundMergeRequest],
    ),
    found: ({ search }, context) => rowsOf(context, search.page, mergeRequestRow),
  }),
  scopeOf({
    word: 'milestones',
    name: 'Milestones',
    document: graphql(
      `query FindMilestones($search: String!, $page: Int!, $perPage: Int!) {
        search(query: $search) {
          page: milestones(page: $page, perPage: $perPage) { total nodes { ...FoundMilestone } }
        }
      }`,
      [foundMilestone],
    ),
    found: ({ search }, context) => rowsOf(context, search.page, milestoneRow),
  }),
  scopeOf({
    word: 'snippet_titles',
    name: 'Snippets',
    document: graphql(
      `query FindSnippets($search: String!, $page: Int!, $perPage: Int!) {
        search(query: $search) {
          page: snippets(page: $page, perPage: $perPage) { total nodes { ...FoundSnippet } }
        }
      }`,
      [foundSnippet],
    ),
    found: ({ search }, context) => rowsOf(context, search.page, snippetRow),
  }),
  scopeOf({
    word: 'groups',
    name: 'Groups',
    document: graphql(
      `query FindGroups($search: String!, $page: Int!, $perPage: Int!) {
        search(query: $search) {
          page: groups(page: $page, perPage: $perPage) { total nodes { ...FoundGroup } }
        }
      }`,
      [foundGroup],
    ),
    found: ({ search }, context) => rowsOf(context, search.page, groupRow),
  }),
  scopeOf({
    word: 'users',
    name: 'Users',
    document: graphql(
      `query FindUsers($search: String!, $page: Int!, $perPage: Int!) {
        search(query: $search) {
          page: users(page: $page, perPage: $perPage) { total nodes { ...FoundUser } }
        }
      }`,
      [foundUser],
    ),
    found: ({ search }, context) => rowsOf(context, search.page, userRow),
  }),
];
