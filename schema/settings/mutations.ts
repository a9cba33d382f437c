import { builder } from '../kernel/builder.ts';
import { storedRecord } from '../listing/records.ts';
import { changeOf, SettingsChange } from './input.ts';
import { ApplicationSettings } from './types.ts';
import { updateSettings } from './update.ts';

builder.mutationField('updateApplicationSettings', (t) =>
  t.prismaField({
    type: ApplicationSettings,
    description: 'Changes the settings of the instance. Requires an administrator.',
    args: {
      settings: t.arg({
        type: SettingsChange,
        required: true,
        description: 'The settings to change.',
      }),
    },
    resolve: async (query, _root, { settings }, ctx) => {
      await updateSettings(changeOf(settings), ctx);
      return storedRecord(ctx, 'applicationSettings', 1, query);
    },
  }),
);
