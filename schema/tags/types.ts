import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';
import { projectById } from '../projects/find.ts';
import { contentProject } from '../repository/project-edge.ts';
import { canDeleteTag } from '../repository/push-rules.ts';
import { refPageUrl } from '../repository/web-url.ts';
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
    webUrl: t.field(refPageUrl),
    project: t.prismaField({
      ...contentProject,
      description: 'The project of the tag.',
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
    canDelete: t.boolean({
      description: 'Whether the current user may delete the tag.',
      resolve: async ({ repository }, _args, ctx) => {
        const project = await projectById(repository.id, ctx);
        return canDeleteTag(project.level, project);
      },
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
