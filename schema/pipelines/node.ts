import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { pipelineProjectOf } from './find.ts';

const PipelineNode = defineRecord('Pipeline', {
  model: 'pipeline',
  select: (ctx) => ({ id: true, projectId: true, project: projectOfRecord(ctx) }) as const,
  check: ({ project }, ctx) => pipelineProjectOf(project, ctx),
});

/** For fields of a pipeline by project and id. */
export const byPipeline = byRecord(PipelineNode, {
  project: ({ projectId }) => String(projectId),
  id: ({ id }) => id,
});
