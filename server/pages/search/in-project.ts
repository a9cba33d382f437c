import { graphql } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import { inCode } from './in-code.ts';
import { foundNote, noteRow } from './project-rows.ts';
import {
  foundIssue,
  foundMergeRequest,
  foundMilestone,
  foundUser,
  issueRow,
  mergeRequestRow,
  milestoneRow,
  userRow,
} from './rows.ts';
import { rowsOf, type Scope, scopeOf } from './scope.ts';

const issues = scopeOf({
  word: 'issues',
  name: 'Issues',
  document: graphql(
    `query FindProjectIssues($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
      page: projectIssues(project: $id, filter: { search: $search }, page: $page, perPage: $perPage) {
        total nodes { ...FoundIssue }
      }
    }`,
    [foundIssue],
  ),
  found: ({ page }, context) => rowsOf(context, page, issueRow),
});

const mergeRequests = scopeOf({
  word: 'merge_requests',
  name: 'Merge requests',
  document: graphql(
    `query FindProjectMergeRequests($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
      page: projectMergeRequests(
        project: $id, filter: { search: $search }, page: $page, perPage: $perPage
      ) { total nodes { ...FoundMergeRequest } }
    }`,
    [foundMergeRequest],
  ),
  found: ({ page }, context) => rowsOf(context, page, mergeRequestRow),
});

const milestones = scopeOf({
  word: 'milestones',
  name: 'Milestones',
  document: graphql(
    `query FindProjectMilestones($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
      page: milestones(
        source: { project: $id }, filter: { search: $search }, page: $page, perPage: $perPage
      ) { total nodes { ...FoundMilestone } }
    }`,
    [foundMilestone],
  ),
  found: ({ page }, context) => rowsOf(context, page, milestoneRow),
});

const notes = scopeOf({
  word: 'notes',
  name: 'Comments',
  document: graphql(
    `query FindNotes($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
      page: noteMatches(project: $id, query: $search, page: $page, perPage: $perPage) {
        total nodes { ...FoundNote }
      }
    }`,
    [foundNote],
  ),
  found: ({ page }, context) => rowsOf(context, page, noteRow),
});

const users = scopeOf({
  word: 'users',
  name: 'Users',
  document: graphql(
    `query FindProjectUsers($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
      project(id: $id) {
        page: users(filter: { search: $search }, page: $page, perPage: $perPage) {
          total nodes { ...FoundUser }
        }
      }
    }`,
    [foundUser],
  ),
  found: ({ project }, context) => rowsOf(context, project.page, userRow),
});

/** The kinds of results of a search in a project: those of its parts that the user may read. */
export function inProject(project: Project): readonly Scope[] {
  const { access, defaultBranch, issuesEnabled, mergeRequestsEnabled, wikiEnabled } = project;
  const { blobs, commits, wiki } = inCode;
  return [
    ...(access.canReadCode && defaultBranch !== null ? [blobs, commits] : []),
    ...(issuesEnabled ? [issues] : []),
    ...(mergeRequestsEnabled && access.canReadCode ? [mergeRequests] : []),
    milestones,
    notes,
    ...(wikiEnabled ? [wiki] : []),
    users,
  ];
}
