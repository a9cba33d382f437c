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
    description: 'Creates a tag, with a release if it is described. Developers only.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
      name: t.arg.string({ required: true, description: 'The name of the tag.' }),
      target: t.arg.string({
        required: true,
        description: 'The name of a branch or tag, or the id of a commit.',
      }),
      message: t.arg.string({
        description: 'The message of an annotated tag; null for a lightweight tag.',
      }),
      releaseDescription: t.arg.string({
        description: 'The description of a release of the tag, in Markdown; null for no release.',
      }),
    },
    resolve: (_root, { project, ...tag }, ctx) => createTag(project, tag, ctx),
  }),
  deleteTag: t.string({
    extensions: { payload: 'name', payloadDescription: 'The name of the deleted tag.' },
    complexity: walkCost,
    description: 'Deletes a tag with its release. Developers only.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
      name: t.arg.string({ required: true, description: 'The name of the tag.' }),
    },
    resolve: (_root, { project, name }, ctx) => done(removeTag(project, name, ctx), name),
  }),
  createRelease: t.field({
    type: Release,
    description: 'Creates the release of a tag. Developers only.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
      tagName: t.arg.string({ required: true, description: 'The name of the tag.' }),
      description: t.arg.string({
        required: true,
        description: 'The description of the release in Markdown.',
      }),
    },
    resolve: (_root, { project, ...release }, ctx) => createRelease(project, release, ctx),
  }),
  updateRelease: t.field({
    type: Release,
    description: 'Changes the description of a release. Developers only.',
    args: {
      project: t.arg.id({ required: true, description: 'The id or full path of the project.' }),
      tagName: t.arg.string({ required: true, description: 'The name of the tag.' }),
      description: t.arg.string({
        required: true,
        description: 'The description of the release in Markdown.',
      }),
    },
    resolve: (_root, { project, ...release }, ctx) => updateRelease(project, release, ctx),
  }),
}));
