import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { createPage, deletePage, updatePage } from './change.ts';
import { WikiFormat, WikiPage } from './types.ts';

const pageArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  slug: t.string({
    required: true,
    description: 'The slug of the page: its path in the wiki without extension.',
  }),
}));

builder.mutationFields((t) => ({
  createWikiPage: t.field({
    type: WikiPage,
    complexity: heavyCost,
    description: 'Creates a page of the wiki. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      title: t.arg.string({ required: true, description: 'The title; slashes make folders.' }),
      content: t.arg.string({ required: true, description: 'The text.' }),
      format: t.arg({
        type: WikiFormat,
        defaultValue: 'markdown',
        description: 'The markup language of the text.',
      }),
    },
    resolve: (_root, { project, title, content, format }, ctx) =>
      createPage(project, { title, content, format: format ?? 'markdown' }, ctx),
  }),
  updateWikiPage: t.field({
    type: WikiPage,
    description: 'Changes a page of the wiki. Requires the access level DEVELOPER or higher.',
    complexity: heavyCost,
    args: {
      ...pageArgs,
      title: t.arg.string({
        description: 'The new title, which gives the page a new slug.',
      }),
      content: t.arg.string({ description: 'The new text.' }),
      format: t.arg({
        type: WikiFormat,
        description: 'The new markup language of the text.',
      }),
    },
    resolve: (_root, { project, slug, ...change }, ctx) =>
      updatePage(project, slug, given(change), ctx),
  }),
  deleteWikiPage: t.string({
    extensions: { payload: 'slug', payloadDescription: 'The slug of the deleted page.' },
    complexity: heavyCost,
    description: 'Deletes a page of the wiki. Requires the access level MASTER or higher.',
    args: pageArgs,
    resolve: (_root, { project, slug }, ctx) => done(deletePage(project, slug, ctx), slug),
  }),
}));
