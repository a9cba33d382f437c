import { builder } from '../kernel/builder.ts';
import { forbidden, unauthenticated } from '../kernel/errors.ts';
import { canManageSettings } from './policy.ts';
import { ApplicationSettings } from './types.ts';
import { interfaceVersion, revision } from './version.ts';

builder.queryField('version', (t) =>
  t.string({
    description: 'The version of the v4 REST API that the instance implements, such as `10.1.0`.',
    resolve: () => interfaceVersion,
  }),
);

builder.queryField('revision', (t) =>
  t.string({ description: 'The name of the software: `millrace`.', resolve: () => revision }),
);

builder.queryField('applicationSettings', (t) =>
  t.prismaField({
    type: ApplicationSettings,
    description: 'The settings of the instance. Administrators only.',
    resolve: (query, _root, _args, { db, viewer }) => {
      if (!viewer) throw unauthenticated();
      if (!canManageSettings(viewer)) throw forbidden();
      return db.applicationSettings.findUniqueOrThrow({ ...query, where: { id: 1 } });
    },
  }),
);
