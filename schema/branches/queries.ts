import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { internal, publiclyNullable } from '../kernel/public.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { refsNamed } from '../repository/ref-search.ts';
import { Repository } from '../repository/types.ts';
import { findBranch } from './find.ts';
import { showBranch, showBranches } from './show.ts';
import { Branch, BranchPage } from './types.ts';

const BranchFilter = builder.inputType('BranchFilter', {
  description: 'Which branches a listing has.',
  fields: (t) => ({
    search: t.string({ description: 'Only branches whose name contains this text, in any case.' }),
  }),
});

builder.objectField(Repository, 'branches', (t) =>
  t.field({
    type: BranchPage,
    description: 'The branches in the byte order of their names. Empty for an empty repository.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: BranchFilter, description: 'Which branches the listing has.' }),
    },
    resolve: async (repository, { filter, ...page }, ctx) => {
      const { skip, take } = rowsOf(page);
      const list = await ctx.git.refs(repository, 'refs/heads/');
      const matching = filter?.search ? refsNamed(filter.search, list) : null;
      const nodes = matching ? matching.slice(skip, skip + take) : list.slice(skip, take, 'asc');
      const total = matching ? matching.length : list.total;
      return loadedPage(await showBranches(repository, nodes, ctx), total, page);
    },
  }),
);

builder.objectFields(Repository, (t) => ({
  branch: t.field({
    type: Branch,
    description: 'A single branch. An error NOT_FOUND if there is none with this name.',
    extensions: publiclyNullable,
    complexity: statementCost,
    args: {
      name: t.arg.string({ required: true, description: 'The name, without `refs/heads/`.' }),
    },
    resolve: async (repository, { name }, ctx) =>
      showBranch(repository, await findBranch(repository, name, ctx), ctx),
  }),
  branchTip: t.string({
    description: 'The id of the commit at the tip of a branch.',
    extensions: internal,
    complexity: statementCost,
    args: {
      name: t.arg.string({ required: true, description: 'The name, without `refs/heads/`.' }),
    },
    resolve: async (repository, { name }, ctx) => (await findBranch(repository, name, ctx)).id,
  }),
}));
