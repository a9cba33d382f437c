import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { triggersProjectOf } from './find.ts';

const TriggerNode = defineRecord('Trigger', {
  model: 'trigger',
  select: (ctx) => ({ id: true, projectId: true, project: projectOfRecord(ctx) }) as const,
  check: ({ project }, ctx) => triggersProjectOf(project, ctx),
});

/** For fields of a trigger by project and id. */
export const byTrigger = byRecord(TriggerNode, {
  project: ({ projectId }) => String(projectId),
  id: ({ id }) => id,
});
