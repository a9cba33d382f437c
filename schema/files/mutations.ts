import type { InputShapeFromFields } from '@pothos/core';
import { createCommit } from '../commits/create.ts';
import { CommitInput, ContentEncoding, changeOf } from '../commits/inputs.ts';
import { createdCommit } from '../commits/mutations.ts';
import { Commit, type ProjectCommit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
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

/** The resolver of a mutation that commits one change of a file. */
const commitFile =
  (action: string) =>
  async (
    _root: object,
    { project: ref, commit, ...file }: FileArgs,
    ctx: Context,
  ): Promise<ProjectCommit> => {
    const project = await findWritableProject(ref, ctx);
    const change = changeOf({ action, ...file });
    return createdCommit(project, await createCommit(project, commit, [change], ctx), ctx);
  };

type FileArgs = InputShapeFromFields<typeof where> & Omit<Parameters<typeof changeOf>[0], 'action'>;

builder.mutationFields((t) => ({
  createFile: t.field({
    type: Commit,
    complexity: heavyCost,
    args: { ...where, ...content },
    resolve: commitFile('create'),
  }),
  updateFile: t.field({
    type: Commit,
    complexity: heavyCost,
    args: { ...where, ...content, ...expected },
    resolve: commitFile('update'),
  }),
  deleteFile: t.field({
    type: Commit,
    complexity: heavyCost,
    args: { ...where, ...expected },
    resolve: commitFile('delete'),
  }),
}));
