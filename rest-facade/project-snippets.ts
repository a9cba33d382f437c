import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  createSnippet,
  singleSnippetRoutes,
  snippetFields,
  updateSnippet,
} from './entities/snippet.ts';
import { p, ref } from './kernel/params.ts';
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
    `query ProjectSnippets($id: ID!, $page: Int, $perPage: Int) {
      page: projectSnippets(project: $id, page: $page, perPage: $perPage) {
        total nodes { ...SnippetFields }
      }
    }`,
    [snippetFields],
  ),
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
  variables: ({ id: project, code, content = '', file_name: fileName, ...snippet }) => ({
    project,
    snippet: { ...snippet, fileName, content: code ?? content },
  }),
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
  variables: ({ id: project, snippet_id: id, code, content, file_name: fileName, ...change }) => ({
    project,
    id,
    change: { ...change, fileName, content: code ?? content },
  }),
});

/** The snippets of projects (v4-behaviour 3.5). */
export const projectSnippets = [
  list,
  create,
  update,
  ...singleSnippetRoutes({
    path: single.path,
    params: z.object(snippetRef),
    snippetOf: ({ id: project, snippet_id: id }) => ({ project, id }),
  }),
];
