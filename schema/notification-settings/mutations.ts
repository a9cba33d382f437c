import { builder } from '../kernel/builder.ts';
import { sourceArgs } from '../projects/group-or-project.ts';
import { changeOwnSettings, changeSettingsFor } from './settings.ts';
import {
  GlobalNotificationSettings,
  NotificationEventsInput,
  NotificationLevel,
  NotificationSettings,
} from './types.ts';

const changeArgs = builder.args((t) => ({
  level: t.field({ type: NotificationLevel, description: 'The level.' }),
  events: t.field({
    type: NotificationEventsInput,
    description: 'The events of the level CUSTOM that change.',
  }),
}));

builder.mutationFields((t) => ({
  updateNotificationSettings: t.field({
    type: GlobalNotificationSettings,
    inPerson: true,
    description: 'Changes of which changes the current user wants to be notified.',
    args: {
      ...changeArgs,
      email: t.arg.string({ description: 'One of the e-mail addresses of the current user.' }),
    },
    resolve: (_root, change, ctx) => changeOwnSettings(change, ctx),
  }),
  overrideNotificationSettings: t.field({
    type: NotificationSettings,
    extensions: { hasParents: true },
    description:
      'Sets of which changes of a group or project the current user wants to be notified, in place of their settings for everything. All users who see it may.',
    args: { ...sourceArgs, ...changeArgs },
    resolve: (_root, { source, ...change }, ctx) => changeSettingsFor(source, change, ctx),
  }),
}));
