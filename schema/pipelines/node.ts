import { recordNotFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import { orThrow } from '../kernel/results.ts';
import { findPipelineProject } from './find.ts';

defineNode('Pipeline', async (query, id, ctx) => {
  const { db } = ctx;
  const where = { id };
  const parent = db.pipeline.findUnique({ where, select: { projectId: true } });
  const { projectId } = await orThrow(parent, recordNotFound);
  await findPipelineProject(String(projectId), ctx);
  return orThrow(
    db.pipeline.findUnique({ ...query, relationLoadStrategy: 'join', where }),
    recordNotFound,
  );
});
