import { recordNotFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import { orThrow } from '../kernel/results.ts';
import { findMergeRequestProject } from './find.ts';

defineNode('MergeRequest', async (query, id, ctx) => {
  const { db } = ctx;
  const parent = db.mergeRequest.findUnique({ where: { id }, select: { projectId: true } });
  const { projectId } = await orThrow(parent, recordNotFound);
  await findMergeRequestProject(String(projectId), ctx);
  return orThrow(
    db.mergeRequest.findUnique({ ...query, relationLoadStrategy: 'join', where: { id } }),
    recordNotFound,
  );
});
