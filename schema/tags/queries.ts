import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { selectedFields } from '../kernel/selected-fields.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { refsNamed } from '../repository/ref-search.ts';
import { Repository } from '../repository/types.ts';
import { lookupTag } from './find.ts';
import { showTag, showTags, withReleases } from './show.ts';
import { Tag, TagPage } from './types.ts';

const TagFilter = builder.inputType('TagFilter', {
  description: 'Which tags a listing has.',
  fields: (t) => ({
    search: t.string({ description: 'Only tags whose name contains this text, in any case.' }),
  }),
});

builder.objectFields(Repository, (t) => ({
  tags: t.field({
    type: TagPage,
    description:
      'The tags by name, the last in byte order first. Empty for a repository without tags.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: TagFilter, description: 'Which tags the listing has.' }),
    },
    resolve: async (repository, { filter, ...page }, ctx, info) => {
      const { skip, take } = rowsOf(page);
      const refs = await ctx.git.refs(repository, 'refs/tags/');
      const matching = filter?.search ? refsNamed(filter.search, refs).toReversed() : null;
      const nodes = matching ? matching.slice(skip, skip + take) : refs.slice(skip, take, 'desc');
      const total = matching ? matching.length : refs.total;
      const tags = await showTags(repository, nodes, ctx);
      const readsReleases = selectedFields(info, 'nodes').has('release');
      const shown = readsReleases ? await withReleases(tags, ctx) : tags;
      return loadedPage(shown, total, page);
    },
  }),
  tag: t.field({
    type: Tag,
    description: 'A single tag. An error NOT_FOUND if there is none with this name.',
    extensions: publiclyNullable,
    complexity: statementCost,
    args: {
      name: t.arg.string({ required: true, description: 'The name, without `refs/tags/`.' }),
    },
    resolve: async (repository, { name }, ctx) => {
      const tag = await lookupTag(repository, name, ctx);
      if (!tag) throw notFound('Tag');
      return showTag(repository, tag, ctx);
    },
  }),
}));
