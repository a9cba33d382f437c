import { recordNotFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import { orThrow } from '../kernel/results.ts';
import { findPipelineProject } from '../pipelines/find.ts';

defineNode('Job', async (query, id, ctx) => {
  const { db } = ctx;
  const where = { id };
  const parent = db.job.findUnique({ where, select: { projectId: true } });
  const { projectId } = await orThrow(parent, recordNotFound);
  await findPipelineProject(String(projectId), ctx);
  return orThrow(
    db.job.findUnique({ ...query, relationLoadStrategy: 'join', where }),
    recordNotFound,
  );
});
