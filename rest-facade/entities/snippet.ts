import type { z } from 'zod';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { rawContent, rawResponse } from '../kernel/raw.ts';
import { route } from '../kernel/route.ts';
import { changed, s, shaped } from '../kernel/shape.ts';
import { basicUserFields } from './user.ts';

/** A snippet of a project (v4-behaviour 3.5). */
export const snippetFields = graphql(
  `
    fragment SnippetFields on Snippet {
      id title file_name: fileName description author { ...BasicUserFields }
      updated_at: updatedAt created_at: createdAt web_url: webUrl
    }
  `,
  [basicUserFields],
);

type SnippetRecord = ResultOf<typeof snippetFields>;

/** A personal snippet: its content has its own URL. */
export const personalSnippet = shaped(
  changed('PersonalSnippet', snippetFields, [], {
    raw_url: s.url().describe('The address of the content.'),
  }),
  (record: SnippetRecord) => ({
    ...record,
    raw_url: `${record.web_url}/raw`,
  }),
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

interface SingleSnippet<Params> {
  readonly path: string;
  readonly params: z.ZodType<Params>;
  readonly snippetOf: (params: Params) => { readonly project?: string; readonly id: number };
  readonly reshape?: typeof personalSnippet;
}

/** Showing a snippet, its content, and deleting it: the same for personal and project snippets. */
export function singleSnippetRoutes<Params>({
  path,
  params,
  snippetOf: variables,
  reshape,
}: SingleSnippet<Params>) {
  const single = { path, access: 'signed in', params, variables } as const;
  return [
    route({
      ...single,
      method: 'get',
      document: graphql(
        `query Snippet($project: ID, $id: Int!) {
          result: snippet(project: $project, id: $id) { ...SnippetFields }
        }`,
        [snippetFields],
      ),
      ...(reshape && { reshape }),
    }),
    route({
      ...single,
      ...rawContent,
      path: `${path}/raw`,
      method: 'get',
      document: graphql(
        `query RawSnippet($project: ID, $id: Int!) {
          snippet(project: $project, id: $id) { fileName content }
        }`,
      ),
      send: async ({ snippet: { fileName, content } }) => {
        const bytes = Buffer.from(content);
        return rawResponse(bytes, { name: fileName, size: bytes.length });
      },
    }),
    route({
      ...single,
      method: 'delete',
      document: graphql(
        `mutation DeleteSnippet($project: ID, $id: Int!) {
          deleteSnippet(project: $project, id: $id)
        }`,
      ),
    }),
  ];
}
