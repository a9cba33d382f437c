import { defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { environmentsProjectOf } from './find.ts';

defineRecord('Deployment', {
  model: 'deployment',
  select: (ctx) => ({ id: true, project: projectOfRecord(ctx) }) as const,
  check: ({ project }, ctx) => environmentsProjectOf(project, ctx),
});
