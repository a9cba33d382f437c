import { builder } from '../kernel/builder.ts';
import { openIfReadable } from '../kernel/private-token.ts';
import { pageType } from '../listing/page-types.ts';

export const Variable = builder.prismaObject('Variable', {
  description:
    'A variable in the environment of the jobs of a project or, from a group, of all projects below it. Only masters of the project or group see it.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The name of the variable.' }),
    value: t.string({
      description: 'The value, in plain text. Empty if the stored value is damaged.',
      resolve: ({ valueSealed }, _args, ctx) => openIfReadable(valueSealed, ctx) ?? '',
    }),
    isProtected: t.exposeBoolean('isProtected', {
      description: 'Whether only jobs of protected branches and tags receive it.',
    }),
  }),
});

export const VariablePage = pageType('Variable', Variable);
