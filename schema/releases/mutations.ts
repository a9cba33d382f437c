import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { endingWith } from '../kernel/public.ts';
import { Release } from '../tags/types.ts';
import { createRelease, deleteRelease, updateRelease } from './change.ts';
import { ReleaseLinkInput } from './inputs.ts';

const tagArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  tagName: t.string({ required: true, description: 'The name of the tag.' }),
}));

const details = builder.args((t) => ({
  description: t.string({ description: 'The description of the release in Markdown.' }),
  name: t.string({
    description: 'The title; the name of the tag without one.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  releasedAt: t.field({
    type: 'DateTime',
    description: 'When the release took place or will; when it is created without a time.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  milestones: t.stringList({
    description:
      'The titles of milestones of the project or of the groups above it that the release completes.',
    extensions: endingWith({ updating: 'They replace the former ones.' }),
  }),
}));

builder.mutationFields((t) => ({
  createRelease: t.field({
    type: Release,
    complexity: walkCost,
    description:
      'Creates the release of a tag, and the tag itself if it does not exist and `ref` is given. Requires the access level DEVELOPER or higher.',
    args: {
      ...tagArgs,
      ...details,
      ref: t.arg.string({
        description:
          'The branch, tag or commit from which the tag is created; null if the tag exists.',
      }),
      tagMessage: t.arg.string({
        description: 'The message of a created tag; null for a lightweight tag.',
      }),
      links: t.arg({
        type: [ReleaseLinkInput],
        description: 'The links to files and pages, at most 100.',
      }),
    },
    resolve: (_root, { project, tagName, ...input }, ctx) =>
      createRelease({ project, tagName }, given(input), ctx),
  }),
  updateRelease: t.field({
    type: Release,
    description:
      'Changes a release; absent fields stay as they are. Requires the access level DEVELOPER or higher.',
    args: { ...tagArgs, ...details },
    resolve: (_root, { project, tagName, ...change }, ctx) =>
      updateRelease({ project, tagName }, given(change, ['name', 'releasedAt']), ctx),
  }),
  deleteRelease: t.field({
    type: Release,
    description:
      'Deletes a release with its links and returns it as it was, without them; its tag stays. Requires the access level DEVELOPER or higher.',
    args: tagArgs,
    resolve: (_root, ref, ctx) => deleteRelease(ref, ctx),
  }),
}));
