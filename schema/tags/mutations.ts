import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { createTag } from './create.ts';
import { createRelease, updateRelease } from './releases.ts';
import { removeTag } from './remove.ts';
import { Release, Tag } from './types.ts';

const releaseDescription = 'The description of the release in Markdown.';

builder.mutationFields((t) => ({
  createTag: t.field({
    type: Tag,
    complexity: walkCost,
    description:
      'Creates a tag, with a release if it is described. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      name: t.arg.string({ required: true, description: 'The name of the tag.' }),
      ref: t.arg.string({
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
    resolve: (_root, { project, ref: target, ...tag }, ctx) =>
      createTag(project, { target, ...tag }, ctx),
  }),
  deleteTag: t.string({
    extensions: { payload: 'name', payloadDescription: 'The name of the deleted tag.' },
    complexity: walkCost,
    description: 'Deletes a tag with its release. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      name: t.arg.string({ required: true, description: 'The name of the tag.' }),
    },
    resolve: (_root, { project, name }, ctx) => done(removeTag(project, name, ctx), name),
  }),
  createRelease: t.field({
    type: Release,
    description: 'Creates the release of a tag. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      tagName: t.arg.string({ required: true, description: 'The name of the tag.' }),
      description: t.arg.string({ required: true, description: releaseDescription }),
    },
    resolve: (_root, { project, ...release }, ctx) => createRelease(project, release, ctx),
  }),
  updateRelease: t.field({
    type: Release,
    description:
      'Changes a release; absent fields stay as they are. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      tagName: t.arg.string({ required: true, description: 'The name of the tag.' }),
      description: t.arg.string({ description: releaseDescription }),
    },
    resolve: (_root, { project, tagName, ...change }, ctx) =>
      updateRelease(project, { tagName, ...given(change) }, ctx),
  }),
}));
