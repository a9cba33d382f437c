import { levelInGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { ProjectAccess } from '../projects/types.ts';
import { canAdminMilestones } from './policy.ts';

builder.objectField(ProjectAccess, 'canAdministerMilestones', (t) =>
  t.boolean({
    description: 'Whether the current user may create, change and delete milestones.',
    resolve: ({ level }) => canAdminMilestones(level),
  }),
);

builder.prismaObjectField(Group, 'canAdministerMilestones', (t) =>
  t.boolean({
    description: 'Whether the current user may create, change and delete milestones of the group.',
    select: { ancestorIds: true },
    resolve: (group, _args, { viewer }) => canAdminMilestones(levelInGroup(viewer, group)),
  }),
);
