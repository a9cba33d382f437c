import { createCommit } from '../commits/create.ts';
import { CommitInput, ContentEncoding, changeOf } from '../commits/inputs.ts';
import { createdCommit } from '../commits/mutations.ts';
import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { findWritableProject } from '../projects/find.ts';

const where = builder.args((t) => ({
  project: t.id({ required: true }),
  path: t.string({ required: true }),
  commit: t.field({ type: CommitInput, required: true }),
}));

const content = builder.args((t) => ({
  content: t.string({ required: true }),
  encoding: t.field({ type: ContentEncoding, defaultValue: 'text' }),
}));

const expected = builder.args((t) => ({
  /** The change is rejected if the file's last commit is another one. */
  lastCommitId: t.string(),
}));

builder.mutationFields((t) => ({
  createFile: t.field({
    type: Commit,
    complexity: heavyCost,
    args: { ...where, ...content },
    resolve: async (_root, { project: ref, commit, ...file }, ctx) => {
      const project = await findWritableProject(ref, ctx);
      const change = changeOf({ action: 'create', ...file });
      return createdCommit(project, await createCommit(project, commit, [change], ctx), ctx);
    },
  }),
  updateFile: t.field({
    type: Commit,
    complexity: heavyCost,
    args: { ...where, ...content, ...expected },
    resolve: async (_root, { project: ref, commit, ...file }, ctx) => {
      const project = await findWritableProject(ref, ctx);
      const change = changeOf({ action: 'update', ...file });
      return createdCommit(project, await createCommit(project, commit, [change], ctx), ctx);
    },
  }),
  deleteFile: t.field({
    type: Commit,
    complexity: heavyCost,
    args: { ...where, ...expected },
    resolve: async (_root, { project: ref, commit, ...file }, ctx) => {
      const project = await findWritableProject(ref, ctx);
      const change = changeOf({ action: 'delete', ...file });
      return createdCommit(project, await createCommit(project, commit, [change], ctx), ctx);
    },
  }),
}));
