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
  project: t.id({ required: true, description: 'The project.' }),
  path: t.string({ required: true, description: 'The path of the file.' }),
  commit: t.field({ type: CommitInput, required: true, description: 'The commit.' }),
}));

const content = builder.args((t) => ({
  content: t.string({ required: true, description: 'The content, encoded as `encoding` says.' }),
  encoding: t.field({
    type: ContentEncoding,
    defaultValue: 'text',
    description: 'How `content` is encoded.',
  }),
}));

const expected = builder.args((t) => ({
  lastCommitSha: t.field({
    type: 'SHA',
    description:
      'The id of the last commit that changed the file: if it is another one, nothing is changed. Null skips the check.',
  }),
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
    description: 'Creates a file in a new commit. Users who may push to the branch.',
    args: { ...where, ...content },
    resolve: commitFile('create'),
  }),
  updateFile: t.field({
    type: Commit,
    complexity: heavyCost,
    description:
      'Replaces the content of a file in a new commit. Users who may push to the branch.',
    args: { ...where, ...content, ...expected },
    resolve: commitFile('update'),
  }),
  deleteFile: t.field({
    type: Commit,
    complexity: heavyCost,
    description: 'Deletes a file in a new commit. Users who may push to the branch.',
    args: { ...where, ...expected },
    resolve: commitFile('delete'),
  }),
}));
