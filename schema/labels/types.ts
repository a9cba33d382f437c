import { builder } from '../kernel/builder.ts';
import { pageType } from '../kernel/page.ts';

/** A word for issues, of one project or of all projects below a group. */
export const Label = builder.prismaObject('Label', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    color: t.exposeString('color'),
    description: t.exposeString('description', { nullable: true }),
  }),
});

export const LabelPage = pageType('Label', Label);
