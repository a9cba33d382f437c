import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../kernel/page.ts';
import { Visibility } from '../settings/types.ts';

/** A content is up to a megabyte, held several times over on its way out: a document has room for few. */
const contentCost = 6000;

/** A piece of code with a name, of a project or of a person (v4-behaviour 3.5). */
export const Snippet = builder.prismaObject('Snippet', {
  // a listing does not read the contents
  select: { id: true, projectId: true },
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** Null: a personal one. */
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

export const SnippetPage = pageType('Snippet', Snippet);
