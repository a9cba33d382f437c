import { notFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import { orThrow } from '../kernel/results.ts';
import { findSnippet } from './find.ts';

const snippetNotFound = () => notFound('Snippet');

defineNode('Snippet', async (query, id, ctx) => {
  const { db } = ctx;
  const where = { id };
  const parent = db.snippet.findUnique({ where, select: { projectId: true } });
  const { projectId } = await orThrow(parent, snippetNotFound);
  await findSnippet({ project: projectId === null ? null : String(projectId) }, id, ctx);
  return orThrow(
    db.snippet.findUnique({ ...query, relationLoadStrategy: 'join', where }),
    snippetNotFound,
  );
});
