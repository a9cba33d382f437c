import { recordNotFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { issueProjectById, visibleIssues } from './find.ts';

defineNode('Issue', async (query, id, ctx) => {
  const viewer = signedIn(ctx);
  const { db } = ctx;
  const parent = db.issue.findUnique({ where: { id }, select: { projectId: true } });
  const { projectId } = await orThrow(parent, recordNotFound);
  const { level } = await issueProjectById(projectId, ctx);
  const where = { id, ...visibleIssues(viewer, level) };
  return orThrow(
    db.issue.findFirst({ ...query, relationLoadStrategy: 'join', where }),
    recordNotFound,
  );
});
