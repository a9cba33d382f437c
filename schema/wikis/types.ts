import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { contentOf, type ShownPage } from './content.ts';
import { wikiFormats } from './names.ts';

export const WikiFormat = builder.enumType('WikiFormat', { values: wikiFormats });

export const WikiPage = builder.objectRef<ShownPage>('WikiPage').implement({
  description: 'A file of the git repository that a wiki is.',
  fields: (t) => ({
    projectId: t.int({ resolve: ({ wiki }) => wiki.projectId }),
    slug: t.exposeString('slug', { description: 'Its address; no other page has the same.' }),
    title: t.exposeString('title'),
    format: t.expose('format', { type: WikiFormat }),
    blobId: t.exposeString('id'),
    content: t.string({
      description: 'Refused where it is too much to be held in memory.',
      complexity: textCost,
      resolve: (shown, _args, ctx) => contentOf(shown, ctx),
    }),
  }),
});
