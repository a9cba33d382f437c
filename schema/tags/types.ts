import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost, textCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';
import { Project } from '../projects/types.ts';
import { projectOfContent } from '../repository/project-edge.ts';
import { repositoryPageUrl } from '../repository/web-url.ts';
import { releaseOf, type ShownTag } from './show.ts';

export const Release = builder.prismaObject('Release', {
  description: 'The release notes of a tag.',
  fields: (t) => ({
    tagName: t.exposeString('tagName', { description: 'The name of the tag.' }),
    description: t.exposeString('description', {
      description: 'The release notes, in Markdown.',
      complexity: textCost,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the release was created.',
    }),
    project: t.relation('project', { description: 'The project of the release.' }),
  }),
});

export const ReleasePage = pageType('Release', Release);

export const Tag = builder.objectRef<ShownTag>('Tag').implement({
  description: 'A tag of a git repository.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name, without `refs/tags/`.' }),
    webUrl: t.field({
      type: 'URL',
      description: 'The address of the page that shows its files.',
      resolve: ({ name, repository }, _args, ctx) =>
        repositoryPageUrl(repository, `tree/${name}`, ctx),
    }),
    project: t.prismaField({
      type: Project,
      description: 'The project of the tag.',
      complexity: statementCost,
      resolve: (query, content, _args, ctx) => projectOfContent(query, content, ctx),
    }),
    message: t.exposeString('message', {
      description: 'The annotation, cut at 64 KiB. Null for a lightweight tag.',
      nullable: true,
    }),
    commit: t.expose('commit', {
      type: Commit,
      description: 'The tagged commit. Null if the tag names another object, such as a file.',
      nullable: true,
    }),
    release: t.field({
      type: Release,
      description: 'The release of the tag. Null if it has none.',
      nullable: true,
      resolve: (tag, _args, ctx) => (tag.release === undefined ? releaseOf(tag, ctx) : tag.release),
    }),
  }),
});

export const TagPage = pageType('Tag', Tag);
