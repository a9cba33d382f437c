import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  createSnippet,
  deleteSnippet,
  personalSnippet,
  rawSnippet,
  showSnippet,
  snippetFields,
  updateSnippet,
} from './entities/snippet.ts';
import { p } from './kernel/params.ts';
import { rawResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { atLeastOne } from './kernel/rules.ts';

const all = { access: 'signed in', path: '/snippets' } as const;
const single = { access: 'signed in', path: '/snippets/:id' } as const;
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
    page: publicSnippets(page: $page, perPage: $perPage) { total nodes { ...SnippetFields } }
  }`,
  [snippetFields],
);

const lists = [
  { path: all.path, document: own },
  { path: `${all.path}/public`, document: open },
].map(({ path, document }) =>
  route({
    access: 'signed in',
    path,
    method: 'get',
    params: z.object({}),
    document,
    variables: ({ page, perPage }) => ({ page, perPage }),
    reshape: personalSnippet,
  }),
);

const show = route({
  ...single,
  method: 'get',
  params: z.object(snippetRef),
  document: showSnippet,
  variables: ({ id }) => ({ id }),
  reshape: personalSnippet,
});

const raw = route({
  access: 'signed in',
  path: `${single.path}/raw`,
  method: 'get',
  params: z.object(snippetRef),
  document: rawSnippet,
  variables: ({ id }) => ({ id }),
  send: async ({ snippet: { fileName, content } }) => {
    const bytes = Buffer.from(content);
    return rawResponse(bytes, { name: fileName, size: bytes.length });
  },
});

const create = route({
  ...all,
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
  ...single,
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

const remove = route({
  ...single,
  method: 'delete',
  params: z.object(snippetRef),
  document: deleteSnippet,
  variables: ({ id }) => ({ id }),
});

/** Personal snippets: the caller's own, and those of others by visibility (v4-behaviour 3.5). */
export const snippets = [...lists, show, raw, create, update, remove];
