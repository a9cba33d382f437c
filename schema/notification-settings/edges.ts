import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { Project } from '../projects/types.ts';
import { settingsOfGroup, settingsOfProject } from './settings.ts';
import { NotificationSettings } from './types.ts';

const edge = {
  type: NotificationSettings,
  nullable: true,
  complexity: statementCost,
  select: { id: true },
} as const;

builder.prismaObjectField(Project, 'notificationSettings', (t) =>
  t.field({
    ...edge,
    description:
      'Of which changes of the project the current user wants to be notified. Null for an anonymous user.',
    resolve: ({ id }, _args, ctx) => (ctx.viewer ? settingsOfProject(id, ctx) : null),
  }),
);

builder.prismaObjectField(Group, 'notificationSettings', (t) =>
  t.field({
    ...edge,
    description:
      'Of which changes in the group the current user wants to be notified. Null for an anonymous user.',
    resolve: ({ id }, _args, ctx) => (ctx.viewer ? settingsOfGroup(id, ctx) : null),
  }),
);
