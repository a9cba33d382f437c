import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

/** A variable in the environment of the jobs of a project, or of all projects of a group. */
export const Variable = builder.prismaObject('Variable', {
  fields: (t) => ({
    key: t.exposeString('key'),
    value: t.string({
      resolve: ({ valueSealed }, _args, { secrets }) => secrets.open(valueSealed),
    }),
    isProtected: t.exposeBoolean('isProtected', {
      description: 'Only jobs of protected branches and tags find it.',
    }),
  }),
});

export const VariablePage = pageType('Variable', Variable);
