import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { Visibility } from '../settings/types.ts';
import { createGroup, type GroupSettings } from './create.ts';
import { removeGroup } from './remove.ts';
import { Group } from './types.ts';
import { updateGroup } from './update.ts';

const groupSettings = builder.args((t) => ({
  description: t.string(),
  visibility: t.field({ type: Visibility }),
  lfsEnabled: t.boolean(),
  requestAccessEnabled: t.boolean(),
  /** Null removes the avatar. */
  avatar: t.field({ type: 'Upload' }),
}));

/** A group without a description has an empty one. */
const settingsOf = <Settings extends { readonly description?: string | null | undefined }>(
  settings: Settings,
) => given({ ...settings, ...(settings.description === null && { description: '' }) });

builder.mutationFields((t) => ({
  createGroup: t.prismaField({
    type: Group,
    args: {
      ...groupSettings,
      name: t.arg.string({ required: true }),
      path: t.arg.string({ required: true }),
      parentId: t.arg.int(),
    },
    resolve: async (query, _root, { name, path, parentId, avatar, ...settings }, ctx) => {
      const group = { ...(settingsOf(settings) as GroupSettings), name, path, avatar };
      const id = await createGroup(group, parentId ?? null, ctx);
      return ctx.db.namespace.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  updateGroup: t.prismaField({
    type: Group,
    args: {
      ...groupSettings,
      group: t.arg.id({ required: true }),
      name: t.arg.string(),
      path: t.arg.string(),
    },
    resolve: async (query, _root, { group, avatar, ...settings }, ctx) => {
      const change = { ...(settingsOf(settings) as GroupSettings), avatar };
      const id = await updateGroup(group, change, ctx);
      return ctx.db.namespace.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteGroup: t.boolean({
    complexity: walkCost,
    args: { group: t.arg.id({ required: true }) },
    resolve: (_root, { group }, ctx) => done(removeGroup(group, ctx)),
  }),
}));
