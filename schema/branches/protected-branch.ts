import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { RefAccess } from '../repository/ref-access.ts';

export const ProtectedBranch = builder.prismaObject('ProtectedBranch', {
  description: 'A rule that protects the branches whose names match its own.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The name of a branch, or a pattern in which `*` stands for any text.',
    }),
    pushAccessLevel: t.exposeInt('pushAccessLevel', {
      description: 'The lowest access level that may push.',
    }),
    mergeAccessLevel: t.exposeInt('mergeAccessLevel', {
      description: 'The lowest access level that may merge.',
    }),
    push: t.field({
      type: RefAccess,
      extensions: internal,
      resolve: (rule) => ({ level: rule.pushAccessLevel }),
    }),
    merge: t.field({
      type: RefAccess,
      extensions: internal,
      resolve: (rule) => ({ level: rule.mergeAccessLevel }),
    }),
  }),
});

export const ProtectedBranchPage = pageType('ProtectedBranch', ProtectedBranch);
