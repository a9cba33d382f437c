import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { Visibility } from '../settings/types.ts';

/**
 * A content is up to 1 MiB and is copied several times while it is sent, so the limit allows few in
 * one document.
 */
const contentCost = 6000;

export const Snippet = builder.prismaObject('Snippet', {
  description: 'A piece of code with a file name, of a project or of a user.',
  // a listing does not read the contents
  select: { id: true, projectId: true },
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the snippet.' }),
    projectId: t.exposeInt('projectId', { nullable: true, extensions: internal }),
    title: t.exposeString('title', { description: 'The title, in one line.' }),
    fileName: t.exposeString('fileName', {
      description: 'The name of the file, whose ending tells the language.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      complexity: textCost,
      description: 'The description in Markdown; null if there is none.',
    }),
    content: t.exposeString('content', {
      complexity: contentCost,
      description: 'The text of the file: up to 1,048,576 characters.',
    }),
    visibility: t.expose('visibility', {
      type: Visibility,
      description:
        'Which users may see the snippet. Members of its project see it whatever its visibility.',
    }),
    author: t.relation('author', {
      nullable: true,
      description: 'The user who created the snippet; null if the account was deleted.',
    }),
    webUrl: t.field({
      type: 'URL',
      description: 'The address of the snippet for browsers.',
      select: { project: { select: { fullPath: true } } },
      resolve: ({ id, project }, _args, { baseUrl }) =>
        `${baseUrl}/${project ? `${project.fullPath}/` : ''}snippets/${id}`,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the snippet was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the snippet was last changed, including its notes.',
    }),
  }),
});

const content = 'The text of the file: 1 to 1,048,576 characters.';

export const NewSnippetInput = builder.inputType('NewSnippet', {
  description: 'A new snippet.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'The title: 1 to 255 characters.' }),
    fileName: t.string({
      required: true,
      description: 'The name of the file: at most 255 characters.',
    }),
    description: t.string({ description: 'The description in Markdown.' }),
    content: t.string({ required: true, description: content }),
    visibility: t.field({
      type: Visibility,
      description: 'Which users may see the snippet; by default as the application settings say.',
    }),
  }),
});

export const SnippetChangeInput = builder.inputType('SnippetChange', {
  description:
    'Changes of a snippet. Fields that are left out stay unchanged; null clears the description.',
  fields: (t) => ({
    title: t.string({ description: 'The new title: 1 to 255 characters.' }),
    fileName: t.string({ description: 'The new name of the file: at most 255 characters.' }),
    description: t.string({ description: 'The new description in Markdown.' }),
    content: t.string({ description: content }),
    visibility: t.field({ type: Visibility, description: 'Which users may see the snippet.' }),
  }),
});

/** The new values of a snippet; omitted fields stay unchanged. */
export type SnippetChange = typeof SnippetChangeInput.$inferInput;

export const SnippetPage = pageType('Snippet', Snippet);
