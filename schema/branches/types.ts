import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { loadedPageType } from '../listing/page-types.ts';
import type { BranchRecord } from './show.ts';

export const Branch = builder.objectRef<BranchRecord>('Branch').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    commit: t.expose('commit', { type: Commit }),
    /** Whether it is merged into the default branch, which has moved on. */
    isMerged: t.exposeBoolean('isMerged'),
    isProtected: t.exposeBoolean('isProtected'),
    /** Whether a rule on the branch lets developers push to it. */
    developersCanPush: t.exposeBoolean('developersCanPush'),
    /** Whether a rule on the branch lets developers merge into it. */
    developersCanMerge: t.exposeBoolean('developersCanMerge'),
  }),
});

export const BranchPage = loadedPageType('Branch', Branch);
