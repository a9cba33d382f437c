import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { done } from '../kernel/results.ts';
import { createTag } from './create.ts';
import { createRelease, updateRelease } from './releases.ts';
import { removeTag } from './remove.ts';
import { Release, Tag } from './types.ts';

builder.mutationFields((t) => ({
  createTag: t.field({
    type: Tag,
    complexity: walkCost,
    args: {
      project: t.arg.id({ required: true }),
      name: t.arg.string({ required: true }),
      /** A branch, a tag or a commit. */
      target: t.arg.string({ required: true }),
      /** Makes it an annotated tag. */
      message: t.arg.string(),
      releaseDescription: t.arg.string(),
    },
    resolve: (_root, { project, ...tag }, ctx) => createTag(project, tag, ctx),
  }),
  deleteTag: t.boolean({
    complexity: walkCost,
    args: { project: t.arg.id({ required: true }), name: t.arg.string({ required: true }) },
    resolve: (_root, { project, name }, ctx) => done(removeTag(project, name, ctx)),
  }),
  createRelease: t.field({
    type: Release,
    args: {
      project: t.arg.id({ required: true }),
      tagName: t.arg.string({ required: true }),
      description: t.arg.string({ required: true }),
    },
    resolve: (_root, { project, ...release }, ctx) => createRelease(project, release, ctx),
  }),
  updateRelease: t.field({
    type: Release,
    args: {
      project: t.arg.id({ required: true }),
      tagName: t.arg.string({ required: true }),
      description: t.arg.string({ required: true }),
    },
    resolve: (_root, { project, ...release }, ctx) => updateRelease(project, release, ctx),
  }),
}));
