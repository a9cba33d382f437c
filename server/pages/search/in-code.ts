import { graphql } from '../../../schema/client/graphql.ts';
import { commitRow, fileRow, foundCommit, foundFile, wikiRow } from './project-rows.ts';
import { rowsOf, scopeOf } from './scope.ts';

/** What a search finds in the git repositories of a project. */
export const inCode = {
  blobs: scopeOf({
    word: 'blobs',
    name: 'Code',
    document: graphql(
      `query FindFiles($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
        repository(project: $id) {
          page: fileMatches(query: $search, page: $page, perPage: $perPage) {
            total nodes { ...FoundFile }
          }
        }
      }`,
      [foundFile],
    ),
    found: ({ repository }, context) => rowsOf(context, repository.page, fileRow),
  }),
  commits: scopeOf({
    word: 'commits',
    name: 'Commits',
    document: graphql(
      `query FindCommits($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
        repository(project: $id) {
          page: commits(filter: { search: $search }, page: $page, perPage: $perPage) {
            total nodes { ...FoundCommit }
          }
        }
      }`,
      [foundCommit],
    ),
    found: ({ repository }, context) => rowsOf(context, repository.page, commitRow),
  }),
  wiki: scopeOf({
    word: 'wiki_blobs',
    name: 'Wiki',
    document: graphql(
      `query FindWikiPages($id: ID!, $search: String!, $page: Int!, $perPage: Int!) {
        page: wikiMatches(project: $id, query: $search, page: $page, perPage: $perPage) {
          total nodes { ...FoundFile }
        }
      }`,
      [foundFile],
    ),
    found: ({ page }, context) => rowsOf(context, page, wikiRow),
  }),
};
