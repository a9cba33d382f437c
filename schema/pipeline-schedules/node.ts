import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { schedulesProjectOf } from './find.ts';

const PipelineScheduleNode = defineRecord('PipelineSchedule', {
  model: 'pipelineSchedule',
  select: (ctx) => ({ id: true, projectId: true, project: projectOfRecord(ctx) }) as const,
  check: ({ project }, ctx) => schedulesProjectOf(project, ctx),
});

/** For fields of a schedule by project and id. */
export const bySchedule = byRecord(PipelineScheduleNode, {
  project: ({ projectId }) => String(projectId),
  id: ({ id }) => id,
});
