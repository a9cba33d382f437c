import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import type { Ref, RefList } from '../ports/git/history.ts';
import { Repository } from '../repository/types.ts';
import { findBranch } from './find.ts';
import { showBranch, showBranches } from './show.ts';
import { Branch, BranchPage } from './types.ts';

builder.objectField(Repository, 'branches', (t) =>
  t.field({
    type: BranchPage,
    description: 'The branches in the byte order of their names.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      /** Part of the name, ignoring case. */
      search: t.arg.string(),
    },
    resolve: async (repository, { search, ...page }, ctx) => {
      const { skip, take } = rowsOf(page);
      const list = await ctx.git.refs(repository, 'refs/heads/');
      const matching = search ? called(search, list) : null;
      const nodes = matching ? matching.slice(skip, skip + take) : list.slice(skip, take, 'asc');
      const total = matching ? matching.length : list.total;
      return loadedPage(await showBranches(repository, nodes, ctx), total, page);
    },
  }),
);

function called(search: string, list: RefList): readonly Ref[] {
  const lowerCased = search.toLowerCase();
  return list
    .slice(0, list.total, 'asc')
    .filter(({ name }) => name.toLowerCase().includes(lowerCased));
}

builder.objectFields(Repository, (t) => ({
  branch: t.field({
    type: Branch,
    complexity: statementCost,
    args: { name: t.arg.string({ required: true }) },
    resolve: async (repository, { name }, ctx) =>
      showBranch(repository, await findBranch(repository, name, ctx), ctx),
  }),
  branchTip: t.string({
    description: 'The id of the commit at the tip of a branch.',
    complexity: statementCost,
    args: { name: t.arg.string({ required: true }) },
    resolve: async (repository, { name }, ctx) => (await findBranch(repository, name, ctx)).id,
  }),
}));
