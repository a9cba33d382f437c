import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { contentProject } from '../repository/project-edge.ts';
import { refPageUrl } from '../repository/web-url.ts';
import { ProtectedBranch } from './protected-branch.ts';
import {
  type BranchRecord,
  isMerged,
  mayDelete,
  mayPushTo,
  protectionOfBranch,
  ruleForMasters,
} from './show.ts';

export const Branch = builder.objectRef<BranchRecord>('Branch').implement({
  description: 'A branch of a git repository.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name, without `refs/heads/`.' }),
    webUrl: t.field(refPageUrl),
    project: t.prismaField({
      ...contentProject,
      description: 'The project of the branch.',
    }),
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
    canDelete: t.boolean({
      description: 'Whether the current user may delete the branch.',
      resolve: (branch, _args, ctx) => mayDelete(branch, ctx),
    }),
    canPush: t.boolean({
      description: 'Whether the current user may push to the branch.',
      resolve: (branch, _args, ctx) => mayPushTo(branch, ctx),
    }),
    protection: t.field({
      type: ProtectedBranch,
      nullable: true,
      description:
        'The rule that protects the branch: of several that match, the one that lets most users push. Null if it is not protected, and for a user below the level of a master.',
      resolve: (branch, _args, ctx) => ruleForMasters(branch, ctx),
    }),
    developersCanPush: t.boolean({
      extensions: internal,
      description:
        'Whether a rule lets developers push to the branch. False if it is not protected.',
      resolve: async (branch, _args, ctx) =>
        (await protectionOfBranch(branch, ctx)).developersCanPush,
    }),
    developersCanMerge: t.boolean({
      extensions: internal,
      description:
        'Whether a rule lets developers merge into the branch. False if it is not protected.',
      resolve: async (branch, _args, ctx) =>
        (await protectionOfBranch(branch, ctx)).developersCanMerge,
    }),
  }),
});

export const BranchPage = pageType('Branch', Branch);
