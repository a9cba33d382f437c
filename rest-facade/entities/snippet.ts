import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { basicUserFields } from './user.ts';

export const snippetFields = graphql(
  `
    fragment SnippetFields on Snippet {
      id title fileName description author { ...BasicUserFields } createdAt updatedAt webUrl
    }
  `,
  [basicUserFields],
);

/** A snippet of a project (v4-behaviour 3.5). */
export const snippet = (record: ResultOf<typeof snippetFields>) => ({
  id: record.id,
  title: record.title,
  file_name: record.fileName,
  description: record.description,
  author: record.author,
  updated_at: record.updatedAt,
  created_at: record.createdAt,
  web_url: record.webUrl,
});

/** A personal snippet: its content has its own URL. */
export const personalSnippet = (record: ResultOf<typeof snippetFields>) => ({
  ...snippet(record),
  raw_url: `${record.webUrl}/raw`,
});

export const showSnippet = graphql(
  `query Snippet($project: ID, $id: Int!) {
    result: snippet(project: $project, id: $id) { ...SnippetFields }
  }`,
  [snippetFields],
);

export const rawSnippet = graphql(
  `query RawSnippet($project: ID, $id: Int!) {
    snippet(project: $project, id: $id) { fileName content }
  }`,
);

export const createSnippet = graphql(
  `mutation CreateSnippet($project: ID, $snippet: NewSnippet!) {
    result: createSnippet(project: $project, snippet: $snippet) { ...SnippetFields }
  }`,
  [snippetFields],
);

export const updateSnippet = graphql(
  `mutation UpdateSnippet($project: ID, $id: Int!, $change: SnippetChange!) {
    result: updateSnippet(project: $project, id: $id, change: $change) { ...SnippetFields }
  }`,
  [snippetFields],
);

export const deleteSnippet = graphql(
  `mutation DeleteSnippet($project: ID, $id: Int!) {
    deleteSnippet(project: $project, id: $id)
  }`,
);
