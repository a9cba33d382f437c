import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { environmentsProjectOf } from './find.ts';

const EnvironmentNode = defineRecord('Environment', {
  model: 'environment',
  select: (ctx) => ({ id: true, projectId: true, project: projectOfRecord(ctx) }) as const,
  check: ({ project }, ctx) => environmentsProjectOf(project, ctx),
});

/** For fields of an environment by project and id. */
export const byEnvironment = byRecord(EnvironmentNode, {
  project: ({ projectId }) => String(projectId),
  id: ({ id }) => id,
});
