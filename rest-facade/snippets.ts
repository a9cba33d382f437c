import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  createSnippet,
  personalSnippet,
  singleSnippetRoutes,
  snippetFields,
  updateSnippet,
} from './entities/snippet.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const snippetRef = { id: p.id() };

const visibility = p.choice(['private', 'internal', 'public']).optional();
const description = p.orNone(p.text()).optional();

const own = graphql(
  `query OwnSnippets($page: Int, $perPage: Int) {
    page: ownSnippets(page: $page, perPage: $perPage) { total nodes { ...SnippetFields } }
  }`,
  [snippetFields],
);

const open = graphql(
  `query PublicSnippets($page: Int, $perPage: Int) {
    page: snippets(page: $page, perPage: $perPage) { total nodes { ...SnippetFields } }
  }`,
  [snippetFields],
);

const lists = [
  { path: '/snippets', document: own },
  { path: '/snippets/public', document: open },
].map((listing) =>
  route({
    ...listing,
    access: 'signed in',
    method: 'get',
    params: z.object({}),
    reshape: personalSnippet,
  }),
);

const create = route({
  path: '/snippets',
  access: 'signed in',
  method: 'post',
  params: z.object({
    title: p.text(),
    file_name: p.text(),
    content: p.text(),
    visibility,
    description,
  }),
  document: createSnippet,
  variables: ({ file_name: fileName, ...snippet }) => ({ snippet: { ...snippet, fileName } }),
  reshape: personalSnippet,
});

const update = route({
  path: '/snippets/:id',
  access: 'signed in',
  method: 'put',
  params: atLeastOne(
    z.object({
      ...snippetRef,
      title: p.text().optional(),
      file_name: p.text().optional(),
      content: p.text().optional(),
      visibility,
      description,
    }),
    'title',
    'file_name',
    'content',
    'visibility',
    'description',
  ),
  document: updateSnippet,
  variables: ({ id, file_name: fileName, ...change }) => ({ id, change: { ...change, fileName } }),
  reshape: personalSnippet,
});

/** Personal snippets: the caller's own, and those of others by visibility (v4-behaviour 3.5). */
export const snippets = [
  ...lists,
  create,
  update,
  ...singleSnippetRoutes({
    path: '/snippets/:id',
    params: z.object(snippetRef),
    snippetOf: ({ id }) => ({ id }),
    reshape: personalSnippet,
  }),
];
