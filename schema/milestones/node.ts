import { recordNotFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import { orThrow } from '../kernel/results.ts';
import { findReadableSource } from '../projects/group-or-project.ts';

defineNode('Milestone', async (query, id, ctx) => {
  const { db } = ctx;
  const where = { id };
  const select = { projectId: true, namespaceId: true } as const;
  const home = await orThrow(db.milestone.findUnique({ where, select }), recordNotFound);
  const { projectId, namespaceId } = home;
  await findReadableSource(
    projectId === null ? { group: String(namespaceId) } : { project: String(projectId) },
    ctx,
  );
  return orThrow(
    db.milestone.findUnique({ ...query, relationLoadStrategy: 'join', where }),
    recordNotFound,
  );
});
