import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  createSnippet,
  deleteSnippet,
  rawSnippet,
  showSnippet,
  snippet,
  snippetFields,
  updateSnippet,
} from './entities/snippet.ts';
import { p, ref } from './kernel/params.ts';
import { rawResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';
import { atLeastOne, required } from './kernel/rules.ts';

const all = { access: 'signed in', path: '/projects/:id/snippets' } as const;
const single = { access: 'signed in', path: '/projects/:id/snippets/:snippet_id' } as const;
const snippetRef = { ...ref, snippet_id: p.id() };

const visibility = p.choice(['private', 'internal', 'public']);
const description = p.orNone(p.text()).optional();
/** Newer clients send the code as `content`. */
const code = { code: p.text().optional(), content: p.text().optional() };

const list = route({
  ...all,
  method: 'get',
  params: z.object(ref),
  document: graphql(
    `query ProjectSnippets($project: ID!, $page: Int, $perPage: Int) {
      page: projectSnippets(project: $project, page: $page, perPage: $perPage) {
        total nodes { ...SnippetFields }
      }
    }`,
    [snippetFields],
  ),
  variables: ({ id, page, perPage }) => ({ project: id, page, perPage }),
  reshape: snippet,
});

const show = route({
  ...single,
  method: 'get',
  params: z.object(snippetRef),
  document: showSnippet,
  variables: ({ id: project, snippet_id: id }) => ({ project, id }),
  reshape: snippet,
});

const raw = route({
  access: 'signed in',
  path: `${single.path}/raw`,
  method: 'get',
  params: z.object(snippetRef),
  document: rawSnippet,
  variables: ({ id: project, snippet_id: id }) => ({ project, id }),
  send: async ({ snippet: { fileName, content } }) => {
    const bytes = Buffer.from(content);
    return rawResponse(bytes, { name: fileName, size: bytes.length });
  },
});

const create = route({
  ...all,
  method: 'post',
  params: required(
    z.object({ ...ref, title: p.text(), file_name: p.text(), ...code, visibility, description }),
    'code',
    'content',
  ),
  document: createSnippet,
  variables: (params) => ({
    project: params.id,
    snippet: {
      title: params.title,
      fileName: params.file_name,
      content: params.code ?? params.content ?? '',
      visibility: params.visibility,
      description: params.description,
    },
  }),
  reshape: snippet,
});

const update = route({
  ...single,
  method: 'put',
  params: atLeastOne(
    z.object({
      ...snippetRef,
      title: p.text().optional(),
      file_name: p.text().optional(),
      ...code,
      visibility: visibility.optional(),
      description,
    }),
    'title',
    'file_name',
    'code',
    'content',
    'visibility',
    'description',
  ),
  document: updateSnippet,
  variables: ({ id: project, snippet_id: id, ...params }) => ({
    project,
    id,
    change: {
      title: params.title,
      fileName: params.file_name,
      content: params.code ?? params.content,
      visibility: params.visibility,
      description: params.description,
    },
  }),
  reshape: snippet,
});

const remove = route({
  ...single,
  method: 'delete',
  params: z.object(snippetRef),
  document: deleteSnippet,
  variables: ({ id: project, snippet_id: id }) => ({ project, id }),
});

/** The snippets of projects (v4-behaviour 3.5). */
export const projectSnippets = [list, show, raw, create, update, remove];
