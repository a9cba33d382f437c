import { levelInGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { ProjectAccess } from '../projects/types.ts';
import { canAdminLabels } from './policy.ts';

builder.objectField(ProjectAccess, 'canAdministerLabels', (t) =>
  t.boolean({
    description: 'Whether the current user may create, change and delete labels.',
    resolve: ({ level }) => canAdminLabels(level),
  }),
);

builder.prismaObjectField(Group, 'canAdministerLabels', (t) =>
  t.boolean({
    description: 'Whether the current user may create, change and delete labels of the group.',
    select: { ancestorIds: true },
    resolve: (group, _args, { viewer }) => canAdminLabels(levelInGroup(viewer, group)),
  }),
);
