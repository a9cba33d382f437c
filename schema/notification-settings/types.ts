import { builder, type InputFields } from '../kernel/builder.ts';
import { type EventChoice, notificationEventNames, notificationEvents } from './events.ts';
import type { GlobalSettings, Settings } from './settings.ts';

export const NotificationLevel = builder.enumType('NotificationLevel', {
  description: 'Of how much a user wants to be notified.',
  values: {
    disabled: { description: 'Of nothing.' },
    participating: { description: 'Of what the user takes part in.' },
    watch: { description: 'Of all activity.' },
    global: { description: 'As the settings of the groups above, or of the user, say.' },
    mention: { description: 'Of notes that mention the user.' },
    custom: { description: 'Of the events that the user chose.' },
  },
});

const NotificationEvents = builder.objectRef<EventChoice>('NotificationEvents').implement({
  description: 'The events of which a user with the level CUSTOM wants to be notified.',
  fields: (t) =>
    Object.fromEntries(
      notificationEventNames.map((name) => [
        name,
        t.exposeBoolean(name, { description: notificationEvents[name] }),
      ]),
    ),
});

const inputFields = (t: InputFields) =>
  Object.fromEntries(
    notificationEventNames.map((name) => [
      name,
      t.boolean({ description: notificationEvents[name] }),
    ]),
  );

export const NotificationEventsInput = builder.inputType('NotificationEventsInput', {
  description: 'Which events of the level CUSTOM change; the others keep their value.',
  fields: inputFields,
});

const stored = 'The settings are stored and shown; the service sends no e-mail.';

const levelDescription = 'The level.';
const eventsDescription = 'The events of the level CUSTOM; they are kept with other levels, too.';

export const NotificationSettings = builder.objectRef<Settings>('NotificationSettings').implement({
  description: `Of which changes of a group or project the current user wants to be notified. ${stored}`,
  fields: (t) => ({
    level: t.expose('level', { type: NotificationLevel, description: levelDescription }),
    events: t.expose('events', { type: NotificationEvents, description: eventsDescription }),
  }),
});

export const GlobalNotificationSettings = builder
  .objectRef<GlobalSettings>('GlobalNotificationSettings')
  .implement({
    description: `Of which changes the current user wants to be notified. ${stored}`,
    fields: (t) => ({
      level: t.expose('level', { type: NotificationLevel, description: levelDescription }),
      events: t.expose('events', { type: NotificationEvents, description: eventsDescription }),
      email: t.exposeString('email', { description: 'The address for e-mail.' }),
    }),
  });
