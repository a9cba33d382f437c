import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';

const BranchAccess = builder.objectRef<{ readonly level: number }>('BranchAccess').implement({
  description: 'The access level required for an action on a protected branch.',
  fields: (t) => ({
    level: t.exposeInt('level', {
      description: 'The lowest access level that is enough.',
    }),
    description: t.string({
      description: 'The level as a text in English.',
      resolve: ({ level }) => descriptions.get(level) ?? 'No one',
    }),
  }),
});

const descriptions: ReadonlyMap<number, string> = new Map([
  [Access.developer, 'Developers + Masters'],
  [Access.master, 'Masters'],
]);

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
      type: BranchAccess,
      extensions: internal,
      resolve: (rule) => ({ level: rule.pushAccessLevel }),
    }),
    merge: t.field({
      type: BranchAccess,
      extensions: internal,
      resolve: (rule) => ({ level: rule.mergeAccessLevel }),
    }),
  }),
});

export const ProtectedBranchPage = pageType('ProtectedBranch', ProtectedBranch);
