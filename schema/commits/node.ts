import type { Context } from '../kernel/context.ts';
import { defineRecord } from '../kernel/nodes.ts';
import { accessibleProject, projectOfRecord } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';

const select = (ctx: Context) => ({ id: true, project: projectOfRecord(ctx) }) as const;

defineRecord('CommitComment', {
  model: 'commitComment',
  select,
  check: ({ project }, ctx) => accessibleProject(project, ctx, canDownloadCode),
});

defineRecord('CommitStatus', {
  model: 'commitStatus',
  select,
  check: ({ project }, ctx) => accessibleProject(project, ctx, canDownloadCode),
});
