import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { createPage, deletePage, updatePage } from './change.ts';
import { WikiFormat, WikiPage } from './types.ts';

const pageArgs = builder.args((t) => ({
  project: t.id({ required: true }),
  slug: t.string({ required: true }),
}));

builder.mutationFields((t) => ({
  createWikiPage: t.field({
    type: WikiPage,
    complexity: heavyCost,
    args: {
      project: t.arg.id({ required: true }),
      title: t.arg.string({ required: true }),
      content: t.arg.string({ required: true }),
      format: t.arg({ type: WikiFormat, defaultValue: 'markdown' }),
    },
    resolve: (_root, { project, title, content, format }, ctx) =>
      createPage(project, { title, content, format: format ?? 'markdown' }, ctx),
  }),
  updateWikiPage: t.field({
    type: WikiPage,
    description: 'Changes a page; what is left out stays. Another title gives it another slug.',
    complexity: heavyCost,
    args: {
      ...pageArgs,
      title: t.arg.string(),
      content: t.arg.string(),
      format: t.arg({ type: WikiFormat }),
    },
    resolve: (_root, { project, slug, ...change }, ctx) =>
      updatePage(project, slug, given(change), ctx),
  }),
  deleteWikiPage: t.boolean({
    complexity: heavyCost,
    args: pageArgs,
    resolve: (_root, { project, slug }, ctx) => done(deletePage(project, slug, ctx)),
  }),
}));
