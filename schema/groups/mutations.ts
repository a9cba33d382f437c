import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { endingWith } from '../kernel/public.ts';
import { storedRecord } from '../listing/records.ts';
import { Visibility } from '../settings/types.ts';
import { createGroup, type GroupSettings } from './create.ts';
import { removeGroup } from './remove.ts';
import { groupDescriptions as about, Group } from './types.ts';
import { updateGroup } from './update.ts';

const groupSettings = builder.args((t) => ({
  description: t.string({
    description: 'The description.',
    extensions: endingWith({ updating: 'Null or an empty text clears it.' }),
  }),
  visibility: t.field({
    type: Visibility,
    description: 'The users who see the group.',
    extensions: endingWith({ creating: 'Default: the setting `defaultGroupVisibility`.' }),
  }),
  lfsEnabled: t.boolean(about.lfsEnabled),
  requestAccessEnabled: t.boolean(about.requestAccessEnabled),
  avatar: t.field({
    type: 'Upload',
    description: 'An image of at most 200 KB.',
    extensions: endingWith({ updating: 'Null removes the avatar.' }),
  }),
}));

/** A group without a description has an empty one. */
const settingsOf = <Settings extends { readonly description?: string | null | undefined }>(
  settings: Settings,
) => given({ ...settings, ...(settings.description === null && { description: '' }) });

builder.mutationFields((t) => ({
  createGroup: t.prismaField({
    type: Group,
    description:
      'Creates a group. Users who may create groups; subgroups owners of the parent only.',
    args: {
      ...groupSettings,
      name: t.arg.string({ required: true, description: 'The name.' }),
      path: t.arg.string({ required: true, description: 'The last part of the full path.' }),
      parentId: t.arg.int({
        description: 'The group in which the group is created; null for a top-level group.',
      }),
    },
    resolve: async (query, _root, { name, path, parentId, avatar, ...settings }, ctx) => {
      const group = { ...(settingsOf(settings) as GroupSettings), name, path, avatar };
      const id = await createGroup(group, parentId ?? null, ctx);
      return storedRecord(ctx, 'namespace', id, query);
    },
  }),
  updateGroup: t.prismaField({
    type: Group,
    description:
      'Changes a group; absent fields stay as they are. Requires the access level OWNER.',
    args: {
      ...groupSettings,
      group: t.arg.id({ required: true, description: 'The group.' }),
      name: t.arg.string({ description: 'The new name.' }),
      path: t.arg.string({ description: 'The new last part of the full path.' }),
    },
    resolve: async (query, _root, { group, avatar, ...settings }, ctx) => {
      const change = { ...(settingsOf(settings) as GroupSettings), avatar };
      const id = await updateGroup(group, change, ctx);
      return storedRecord(ctx, 'namespace', id, query);
    },
  }),
  deleteGroup: t.id({
    extensions: { identifies: 'Group' },
    complexity: walkCost,
    description:
      'Deletes a group with its subgroups and projects. It is hidden at once; a background job deletes its data. Requires the access level OWNER.',
    args: { group: t.arg.id({ required: true, description: 'The group.' }) },
    resolve: (_root, { group }, ctx) => removeGroup(group, ctx),
  }),
}));
