import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { internal, publiclyNullable } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { projectById } from '../projects/find.ts';
import { Project, ProjectAccess } from '../projects/types.ts';
import { type Wiki, wikiOf } from './find.ts';
import { canDeleteWikiPages, canWriteWiki } from './policy.ts';
import { pageBySlug, readPages, shownPages } from './read.ts';
import { WikiPage } from './types.ts';

const WikiPagePage = pageType('WikiPage', WikiPage);

const WikiType = builder.objectRef<Wiki>('Wiki').implement({
  description: 'The wiki of a project: pages in a git repository of its own.',
  fields: (t) => ({
    pages: t.field({
      type: WikiPagePage,
      description: 'The pages, by slug.',
      complexity: (page) => ({ ...listingCost(page), field: processCost }),
      args: pageArgs,
      resolve: async (wiki, page, ctx) => {
        const { skip, take } = rowsOf(page);
        const { all } = await readPages(wiki, ctx);
        return loadedPage(shownPages(all.slice(skip, skip + take), wiki), all.length, page);
      },
    }),
    page: t.field({
      type: WikiPage,
      description: 'A single page. An error NOT_FOUND if there is none.',
      extensions: publiclyNullable,
      complexity: processCost,
      args: {
        slug: t.arg.string({ required: true, description: 'The slug or the title of the page.' }),
      },
      resolve: (wiki, { slug }, ctx) => pageBySlug(wiki, slug, ctx),
    }),
  }),
});

builder.prismaObjectField(Project, 'wiki', (t) =>
  t.field({
    type: WikiType,
    description: 'The wiki. Null if it is disabled.',
    nullable: true,
    select: { id: true },
    resolve: ({ id }, _args, ctx) => ifVisible(async () => wikiOf(await projectById(id, ctx), ctx)),
  }),
);

builder.objectFields(ProjectAccess, (t) => ({
  canWriteWiki: t.boolean({
    description: 'Whether the current user may create and change pages of the wiki.',
    extensions: internal,
    resolve: ({ project, level }) => canWriteWiki(level, project),
  }),
  canDeleteWikiPages: t.boolean({
    description: 'Whether the current user may delete pages of the wiki.',
    extensions: internal,
    resolve: ({ project, level }) => canDeleteWikiPages(level, project),
  }),
}));
