import { builder } from '../kernel/builder.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { ProjectAccess } from '../projects/types.ts';
import { schedulesProjectById } from './find.ts';
import { canChangeSchedule, canCreateSchedules, canSeeSchedules } from './policy.ts';
import { PipelineSchedule } from './types.ts';

builder.objectFields(ProjectAccess, (t) => ({
  canSeeSchedules: t.boolean({
    description: 'Whether the current user may see the pipeline schedules.',
    resolve: ({ project, level }) => canSeeSchedules(level, project),
  }),
  canCreateSchedules: t.boolean({
    description: 'Whether the current user may create pipeline schedules, and run one at once.',
    resolve: ({ project, level }) => canCreateSchedules(level, project),
  }),
}));

builder.prismaObjectField(PipelineSchedule, 'canChange', (t) =>
  t.boolean({
    description: 'Whether the current user may change, take over and delete it.',
    select: { projectId: true, ownerId: true },
    resolve: async ({ projectId, ownerId }, _args, ctx) => {
      const project = await schedulesProjectById(projectId, ctx);
      return canChangeSchedule(signedIn(ctx).id, project.level, project, ownerId);
    },
  }),
);
