import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { forbidden, unauthenticated } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { storedRecord } from '../listing/records.ts';
import { canManageSettings } from './policy.ts';
import { ApplicationSettings } from './types.ts';
import { interfaceVersion, programVersion, revision } from './version.ts';

builder.queryField('version', (t) =>
  t.string({
    description: 'The version of Millrace, such as `0.2.0`. Null for anonymous users.',
    nullable: true,
    resolve: (_root, _args, { viewer }) => (viewer ? programVersion : null),
  }),
);

builder.queryField('interfaceVersion', (t) =>
  t.string({
    description: 'The version of the v4 REST API that the instance implements, such as `10.1.0`.',
    extensions: internal,
    resolve: () => interfaceVersion,
  }),
);

builder.queryField('revision', (t) =>
  t.string({
    description: 'The name of the software: `millrace`.',
    extensions: internal,
    resolve: () => revision,
  }),
);

builder.queryField('applicationSettings', (t) =>
  t.prismaField({
    type: ApplicationSettings,
    extensions: internal,
    resolve: (query, _root, _args, { db, viewer }) => {
      if (!viewer) throw unauthenticated();
      if (!canManageSettings(viewer)) throw forbidden();
      return db.applicationSettings.findUniqueOrThrow({ ...query, where: { id: 1 } });
    },
  }),
);

builder.objectField(Admin, 'applicationSettings', (t) =>
  t.prismaField({
    type: ApplicationSettings,
    description: 'The settings of the instance.',
    complexity: statementCost,
    resolve: (query, _admin, _args, ctx) => storedRecord(ctx, 'applicationSettings', 1, query),
  }),
);
