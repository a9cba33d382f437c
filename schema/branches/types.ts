import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { loadedPageType } from '../listing/page-types.ts';
import { type BranchRecord, isMerged, protectionOfBranch } from './show.ts';

export const Branch = builder.objectRef<BranchRecord>('Branch').implement({
  description: 'A branch of a git repository.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name, without `refs/heads/`.' }),
    commit: t.expose('commit', { type: Commit, description: 'The commit at the tip.' }),
    isMerged: t.boolean({
      description:
        'Whether the default branch contains the commit at the tip and has further ones. False for the default branch.',
      // one process for a page of branches
      complexity: { field: processCost / 20, multiplier: 1 },
      resolve: (branch, _args, ctx) => isMerged(branch, ctx),
    }),
    isProtected: t.boolean({
      description: 'Whether a rule of the project protects the branch.',
      resolve: async (branch, _args, ctx) => (await protectionOfBranch(branch, ctx)).isProtected,
    }),
    developersCanPush: t.boolean({
      description:
        'Whether a rule lets developers push to the branch. False if it is not protected.',
      resolve: async (branch, _args, ctx) =>
        (await protectionOfBranch(branch, ctx)).developersCanPush,
    }),
    developersCanMerge: t.boolean({
      description:
        'Whether a rule lets developers merge into the branch. False if it is not protected.',
      resolve: async (branch, _args, ctx) =>
        (await protectionOfBranch(branch, ctx)).developersCanMerge,
    }),
  }),
});

export const BranchPage = loadedPageType('Branch', Branch);
