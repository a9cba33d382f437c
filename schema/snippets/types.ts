import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';
import { Visibility } from '../settings/types.ts';

/**
 * A content is up to 1 MiB and is copied several times while it is sent, so the limit allows few in
 * one document.
 */
const contentCost = 6000;

/** A piece of code with a file name, of a project or of a user (v4-behaviour 3.5). */
export const Snippet = builder.prismaObject('Snippet', {
  // a listing does not read the contents
  select: { id: true, projectId: true },
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** Null for a personal snippet. */
    projectId: t.exposeInt('projectId', { nullable: true }),
    title: t.exposeString('title'),
    fileName: t.exposeString('fileName'),
    description: t.exposeString('description', { nullable: true, complexity: textCost }),
    content: t.exposeString('content', { complexity: contentCost }),
    visibility: t.expose('visibility', { type: Visibility }),
    author: t.relation('author', { nullable: true }),
    webUrl: t.string({
      select: { project: { select: { fullPath: true } } },
      resolve: ({ id, project }, _args, { baseUrl }) =>
        `${baseUrl}/${project ? `${project.fullPath}/` : ''}snippets/${id}`,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const NewSnippetInput = builder.inputType('NewSnippet', {
  fields: (t) => ({
    title: t.string({ required: true, description: 'The title.' }),
    fileName: t.string({ required: true, description: 'The name of the file.' }),
    description: t.string({ description: 'The description; null clears it.' }),
    content: t.string({ required: true, description: 'The content.' }),
    visibility: t.field({ type: Visibility, description: 'Who sees the snippet.' }),
  }),
});

export const SnippetChangeInput = builder.inputType('SnippetChange', {
  description: 'What is left out stays as it is; null takes a description away.',
  fields: (t) => ({
    title: t.string({ description: 'The title.' }),
    fileName: t.string({ description: 'The name of the file.' }),
    description: t.string({ description: 'The description; null clears it.' }),
    content: t.string({ description: 'The content.' }),
    visibility: t.field({ type: Visibility, description: 'Who sees the snippet.' }),
  }),
});

/** The new values of a snippet; omitted fields stay unchanged. */
export type SnippetChange = typeof SnippetChangeInput.$inferInput;

export const SnippetPage = pageType('Snippet', Snippet);
