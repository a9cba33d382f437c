import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { issue, issueFields } from './entities/issue.ts';
import { mergeRequest, mergeRequestFields } from './entities/merge-request.ts';
import { milestone, milestoneFields } from './entities/milestone.ts';
import { simpleProjectFields } from './entities/project.ts';
import {
  everywhereParams,
  type SearchPlace,
  scopeText,
  search,
  withinParams,
} from './entities/search-params.ts';
import { snippetFields } from './entities/snippet.ts';
import { basicUserFields } from './entities/user.ts';
import { choiceOf } from './kernel/choice.ts';
import { type Route, route } from './kernel/route.ts';
import { selected, shaped } from './kernel/shape.ts';

const all = { ...search, path: '/search', params: everywhereParams } as const;

const everywhere = choiceOf('scope', scopeText, {
  projects: route({
    ...all,
    document: graphql(
      `query SearchProjects($search: String!, $page: Int, $perPage: Int) {
        search(query: $search) {
          page: projects(page: $page, perPage: $perPage) { total nodes { ...SimpleProjectFields } }
        }
      }`,
      [simpleProjectFields],
    ),
    response: selected(simpleProjectFields),
  }),
  issues: route({
    ...all,
    document: graphql(
      `query SearchIssues($search: String!, $page: Int, $perPage: Int) {
        search(query: $search) {
          page: issues(page: $page, perPage: $perPage) { total nodes { ...IssueFields } }
        }
      }`,
      [issueFields],
    ),
    reshape: issue,
  }),
  merge_requests: route({
    ...all,
    document: graphql(
      `query SearchMergeRequests($search: String!, $page: Int, $perPage: Int) {
        search(query: $search) {
          page: mergeRequests(page: $page, perPage: $perPage) {
            total nodes { ...MergeRequestFields }
          }
        }
      }`,
      [mergeRequestFields],
    ),
    reshape: mergeRequest,
  }),
  milestones: route({
    ...all,
    document: graphql(
      `query SearchMilestones($search: String!, $page: Int, $perPage: Int) {
        search(query: $search) {
          page: milestones(page: $page, perPage: $perPage) { total nodes { ...MilestoneFields } }
        }
      }`,
      [milestoneFields],
    ),
    reshape: milestone,
  }),
  snippet_titles: route({
    ...all,
    document: graphql(
      `query SearchSnippets($search: String!, $page: Int, $perPage: Int) {
        search(query: $search) {
          page: snippets(page: $page, perPage: $perPage) { total nodes { ...SnippetFields } }
        }
      }`,
      [snippetFields],
    ),
    response: selected(snippetFields),
  }),
  users: route({
    ...all,
    document: graphql(
      `query SearchUsers($search: String!, $page: Int, $perPage: Int) {
        search(query: $search) {
          page: users(page: $page, perPage: $perPage) { total nodes { ...BasicUserFields } }
        }
      }`,
      [basicUserFields],
    ),
    response: selected(basicUserFields),
  }),
});

type BasicUser = ResultOf<typeof basicUserFields>;

const memberUser = shaped(
  selected(basicUserFields),
  ({ user }: { readonly user: BasicUser }) => user,
);

function inGroup(place: SearchPlace): Route {
  const one = { ...search, ...place, params: withinParams } as const;
  return choiceOf('scope', scopeText, {
    projects: route({
      ...one,
      document: graphql(
        `query SearchGroupProjects($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          group(id: $id) {
            page: projects(
              filter: { search: $search, archived: include }, includesSubgroups: true
              page: $page, perPage: $perPage
            ) { total nodes { ...SimpleProjectFields } }
          }
        }`,
        [simpleProjectFields],
      ),
      response: selected(simpleProjectFields),
    }),
    issues: route({
      ...one,
      document: graphql(
        `query SearchGroupIssues($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: groupIssues(
            group: $id, filter: { search: $search }, page: $page, perPage: $perPage
          ) { total nodes { ...IssueFields } }
        }`,
        [issueFields],
      ),
      reshape: issue,
    }),
    merge_requests: route({
      ...one,
      document: graphql(
        `query SearchGroupMergeRequests($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: groupMergeRequests(
            group: $id, filter: { search: $search }, page: $page, perPage: $perPage
          ) { total nodes { ...MergeRequestFields } }
        }`,
        [mergeRequestFields],
      ),
      reshape: mergeRequest,
    }),
    milestones: route({
      ...one,
      document: graphql(
        `query SearchGroupMilestones($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: groupMilestones(
            group: $id, filter: { search: $search }, page: $page, perPage: $perPage
          ) { total nodes { ...MilestoneFields } }
        }`,
        [milestoneFields],
      ),
      reshape: milestone,
    }),
    users: route({
      ...one,
      document: graphql(
        `query SearchGroupMembers($id: ID!, $search: String!, $page: Int, $perPage: Int) {
          page: allMembers(
            source: { group: $id }, filter: { search: $search }, page: $page, perPage: $perPage
          ) { total nodes { user { ...BasicUserFields } } }
        }`,
        [basicUserFields],
      ),
      reshape: memberUser,
    }),
  });
}

/** Clients use either path. */
export const searches = [
  everywhere,
  inGroup({ path: '/groups/:id/search' }),
  inGroup({ path: '/groups/:id/-/search', title: 'Search a group by its other path' }),
];
