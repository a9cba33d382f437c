import { builder } from '../kernel/builder.ts';
import { forbidden, unauthenticated } from '../kernel/errors.ts';
import { canManageSettings } from './policy.ts';
import { ApplicationSettings } from './types.ts';
import { interfaceVersion, revision } from './version.ts';

builder.queryField('version', (t) => t.string({ resolve: () => interfaceVersion }));

builder.queryField('revision', (t) => t.string({ resolve: () => revision }));

builder.queryField('applicationSettings', (t) =>
  t.prismaField({
    type: ApplicationSettings,
    description: 'As they are stored now; administrators.',
    resolve: (query, _root, _args, { db, viewer }) => {
      if (!viewer) throw unauthenticated();
      if (!canManageSettings(viewer)) throw forbidden();
      return db.applicationSettings.findUniqueOrThrow({ ...query, where: { id: 1 } });
    },
  }),
);
