import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { endingWith } from '../kernel/public.ts';
import { linkTexts } from './inputs.ts';
import { ReleaseLink, ReleaseLinkType } from './link-types.ts';
import { createLink, deleteLink, updateLink } from './links.ts';
import { byReleaseLink } from './node.ts';

const releaseArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  tagName: t.string({ required: true, description: 'The name of the tag of the release.' }),
}));

const linkArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the link.' }),
}));

const details = builder.args((t) => ({
  path: t.string({
    description: linkTexts.path,
    extensions: endingWith({ updating: 'Null removes it.' }),
  }),
  type: t.field({ type: ReleaseLinkType, description: linkTexts.type }),
}));

builder.mutationFields((t) => ({
  createReleaseLink: t.field({
    type: ReleaseLink,
    description:
      'Adds a link to a release, which has at most 100. Requires the access level DEVELOPER or higher.',
    args: {
      ...releaseArgs,
      ...details,
      name: t.arg.string({ required: true, description: linkTexts.name }),
      url: t.arg.string({ required: true, description: linkTexts.url }),
    },
    resolve: (_root, { project, tagName, ...input }, ctx) =>
      createLink({ project, tagName }, input, ctx),
  }),
  updateReleaseLink: t.field({
    type: ReleaseLink,
    extensions: byReleaseLink,
    description:
      'Changes a link of a release; absent fields stay as they are. Requires the access level DEVELOPER or higher.',
    args: {
      ...releaseArgs,
      ...linkArgs,
      ...details,
      name: t.arg.string({ description: linkTexts.name }),
      url: t.arg.string({ description: linkTexts.url }),
    },
    resolve: (_root, { project, tagName, id, ...change }, ctx) =>
      updateLink({ project, tagName }, id, given(change, ['path']), ctx),
  }),
  deleteReleaseLink: t.field({
    type: ReleaseLink,
    extensions: byReleaseLink,
    description:
      'Deletes a link of a release and returns it as it was. Requires the access level DEVELOPER or higher.',
    args: { ...releaseArgs, ...linkArgs },
    resolve: (_root, { project, tagName, id }, ctx) => deleteLink({ project, tagName }, id, ctx),
  }),
}));
