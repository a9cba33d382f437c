import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { contentOf, type ShownPage } from './content.ts';
import type { wikiFormats } from './names.ts';

export const WikiFormat = builder.enumType('WikiFormat', {
  description: 'The markup language of a wiki page.',
  values: {
    markdown: { description: 'Markdown: `.md`, `.markdown` or `.mkd`.' },
    rdoc: { description: 'RDoc: `.rdoc`.' },
    asciidoc: { description: 'AsciiDoc: `.asciidoc` or `.adoc`.' },
  } satisfies Readonly<Record<(typeof wikiFormats)[number], object>>,
});

export const WikiPage = builder.objectRef<ShownPage>('WikiPage').implement({
  description: 'A page of a wiki: a file of its git repository.',
  fields: (t) => ({
    projectId: t.int({
      description: 'The number of the project.',
      extensions: internal,
      resolve: ({ wiki }) => wiki.projectId,
    }),
    slug: t.exposeString('slug', {
      description: 'The name in URLs, unique in the wiki: the title with dashes for spaces.',
    }),
    title: t.exposeString('title', { description: 'The title, from the name of the file.' }),
    format: t.expose('format', { type: WikiFormat, description: 'The markup language.' }),
    blobId: t.exposeString('id', { description: 'The same as `sha`.', extensions: internal }),
    sha: t.expose('id', { type: 'SHA', description: 'The id of the content: a blob.' }),
    content: t.string({
      description:
        'The text. An error above 16 MiB, which is also the limit of all texts of a listing.',
      complexity: textCost,
      resolve: (shown, _args, ctx) => contentOf(shown, ctx),
    }),
  }),
});
