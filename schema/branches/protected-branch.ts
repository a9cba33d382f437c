import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

const BranchAccess = builder.objectRef<{ readonly level: number }>('BranchAccess').implement({
  description: 'The access level required for an action on a protected branch.',
  fields: (t) => ({
    level: t.exposeInt('level'),
    description: t.string({ resolve: ({ level }) => descriptions.get(level) ?? 'No one' }),
  }),
});

const descriptions: ReadonlyMap<number, string> = new Map([
  [Access.developer, 'Developers + Masters'],
  [Access.master, 'Masters'],
]);

export const ProtectedBranch = builder.prismaObject('ProtectedBranch', {
  description: 'A rule on all branches whose names its own name speaks of.',
  fields: (t) => ({
    name: t.exposeString('name'),
    push: t.field({ type: BranchAccess, resolve: (rule) => ({ level: rule.pushAccessLevel }) }),
    merge: t.field({ type: BranchAccess, resolve: (rule) => ({ level: rule.mergeAccessLevel }) }),
  }),
});

export const ProtectedBranchPage = pageType('ProtectedBranch', ProtectedBranch);
