import { graphql } from '../schema/client/graphql.ts';
import { foundCommit, foundCommitFields } from './entities/commit.ts';
import { fileMatch, fileMatchFields } from './entities/file-match.ts';
import { issue, issueFields } from './entities/issue.ts';
import { mergeRequest, mergeRequestFields } from './entities/merge-request.ts';
import { milestone, milestoneFields } from './entities/milestone.ts';
import { note, noteFields } from './entities/note.ts';
import { type SearchPlace, scopeText, search, withinParams } from './entities/search-params.ts';
import { basicUserFields } from './entities/user.ts';
import { choiceOf } from './kernel/choice.ts';
import { p } from './kernel/params.ts';
import { type Route, route } from './kernel/route.ts';
import { selected, shapeOf } from './kernel/shape.ts';

function inProject(place: SearchPlace): Route {
  const one = { ...search, ...place, params: withinParams } as const;
  const inCode = {
    ...one,
    params: withinParams.extend({
      ref: p
        .text()
        .optional()
        .describe('A branch, a tag or a commit id. Default: the default branch.'),
    }),
  } as const;
  return choiceOf('scope', scopeText, {
    issues: route({
      ...one,
      document: graphql(
        `query SearchProjectIssues($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: projectIssues(
            project: $id, filter: { search: $search }, page: $page, perPage: $perPage
          ) { total nodes { ...IssueFields } }
        }`,
        [issueFields],
      ),
      reshape: issue,
    }),
    merge_requests: route({
      ...one,
      document: graphql(
        `query SearchProjectMergeRequests($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: projectMergeRequests(
            project: $id, filter: { search: $search }, page: $page, perPage: $perPage
          ) { total nodes { ...MergeRequestFields } }
        }`,
        [mergeRequestFields],
      ),
      reshape: mergeRequest,
    }),
    milestones: route({
      ...one,
      document: graphql(
        `query SearchProjectMilestones($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: milestones(
            source: { project: $id }, filter: { search: $search }, page: $page, perPage: $perPage
          ) { total nodes { ...MilestoneFields } }
        }`,
        [milestoneFields],
      ),
      reshape: milestone,
    }),
    notes: route({
      ...one,
      document: graphql(
        `query SearchNotes($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: noteMatches(project: $id, query: $search, page: $page, perPage: $perPage) {
            total nodes { ...NoteFields noteableIid }
          }
        }`,
        [noteFields],
      ),
      response: shapeOf(note),
      reshape: ({ noteableIid, ...record }) => note(record, noteableIid),
    }),
    commits: route({
      ...inCode,
      document: graphql(
        `query SearchCommits($id: ID!, $search: String!, $ref: String, $page: Int, $perPage: Int) {
          repository(project: $id) {
            page: commits(
              filter: { search: $search }, ref: $ref, page: $page, perPage: $perPage
            ) { total nodes { ...FoundCommitFields } }
          }
        }`,
        [foundCommitFields],
      ),
      reshape: foundCommit,
    }),
    blobs: route({
      ...inCode,
      document: graphql(
        `query SearchFiles($id: ID!, $search: String!, $ref: String, $page: Int, $perPage: Int) {
          repository(project: $id) {
            page: fileMatches(query: $search, ref: $ref, page: $page, perPage: $perPage) {
              total nodes { ...FileMatchFields }
            }
          }
        }`,
        [fileMatchFields],
      ),
      reshape: fileMatch,
    }),
    wiki_blobs: route({
      ...one,
      document: graphql(
        `query SearchWiki($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: wikiMatches(project: $id, query: $search, page: $page, perPage: $perPage) {
            total nodes { ...FileMatchFields }
          }
        }`,
        [fileMatchFields],
      ),
      reshape: fileMatch,
    }),
    users: route({
      ...one,
      document: graphql(
        `query SearchProjectUsers($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          project(id: $id) {
            page: users(filter: { search: $search }, page: $page, perPage: $perPage) {
              total nodes { ...BasicUserFields }
            }
          }
        }`,
        [basicUserFields],
      ),
      response: selected(basicUserFields),
    }),
  });
}

/** Clients use either path. */
export const projectSearch = [
  inProject({ path: '/projects/:id/search' }),
  inProject({ path: '/projects/:id/-/search', title: 'Search a project by its other path' }),
];
