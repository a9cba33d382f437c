import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { loadedPageType } from '../listing/page-types.ts';
import type { ReleaseRecord, ShownTag } from './show.ts';

export const Release = builder.objectRef<ReleaseRecord>('Release').implement({
  description: 'The notes on a tag.',
  fields: (t) => ({
    tagName: t.exposeString('tagName'),
    /** Markdown. */
    description: t.exposeString('description', { complexity: textCost }),
  }),
});

export const Tag = builder.objectRef<ShownTag>('Tag').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    /** The annotation, or null. */
    message: t.exposeString('message', { nullable: true }),
    /** Null if the tag names another object, such as a blob. */
    commit: t.expose('commit', { type: Commit, nullable: true }),
    release: t.expose('release', { type: Release, nullable: true }),
  }),
});

export const TagPage = loadedPageType('Tag', Tag);
