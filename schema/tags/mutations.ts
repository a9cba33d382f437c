import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { done } from '../kernel/results.ts';
import { createTag, filled } from './create.ts';
import { removeTag } from './remove.ts';
import { Tag } from './types.ts';

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
    resolve: (_root, { project, ref: target, releaseDescription, ...tag }, ctx) => {
      const description = filled(releaseDescription);
      const release = description === undefined ? null : { description };
      return createTag(project, { target, release, ...tag }, ctx);
    },
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
}));
