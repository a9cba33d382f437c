import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { sourceArgs } from '../projects/group-or-project.ts';
import { ownSettings, settingsFor } from './settings.ts';
import { GlobalNotificationSettings, NotificationSettings } from './types.ts';

builder.queryFields((t) => ({
  notificationSettings: t.field({
    type: GlobalNotificationSettings,
    description: 'Of which changes the current user wants to be notified.',
    resolve: (_root, _args, ctx) => ownSettings(ctx),
  }),
  notificationSettingsOf: t.field({
    type: NotificationSettings,
    extensions: internal,
    description: 'Of which changes of a group or project the current user wants to be notified.',
    args: sourceArgs,
    resolve: (_root, { source }, ctx) => settingsFor(source, ctx),
  }),
}));
