import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { heavyCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { findWritableProject } from '../projects/find.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { cherryPick } from './cherry-pick.ts';
import { createCommit } from './create.ts';
import { CommitActionInput, CommitInput, changeOf } from './inputs.ts';
import { revertCommit } from './revert.ts';
import { Commit, type ProjectCommit } from './types.ts';

builder.mutationFields((t) => ({
  createCommit: t.field({
    type: Commit,
    complexity: heavyCost,
    description:
      'Creates a commit with changes of several files. Users who may push to the branch.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      commit: t.arg({ type: CommitInput, required: true, description: 'The commit.' }),
      actions: t.arg({
        type: [CommitActionInput],
        required: true,
        description: 'The changes of files, applied in order: all or none.',
      }),
    },
    resolve: async (_root, { project: ref, commit, actions }, ctx) => {
      const project = await findWritableProject(ref, ctx);
      const id = await createCommit(project, commit, actions.map(changeOf), ctx);
      return createdCommit(project, id, ctx);
    },
  }),
  cherryPickCommit: t.field({
    type: Commit,
    complexity: heavyCost,
    description:
      'Applies the changes of a commit to a branch in a new commit. Users who may push to the branch.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      sha: t.arg.string({
        required: true,
        description: 'The id of the commit.',
        extensions: publiclyTyped('SHA'),
      }),
      branch: t.arg.string({ required: true, description: 'The branch that gets the commit.' }),
    },
    resolve: async (_root, { project: ref, ...pick }, ctx) => {
      const project = await findWritableProject(ref, ctx);
      return createdCommit(project, await cherryPick(project, pick, ctx), ctx);
    },
  }),
  revertCommit: t.field({
    type: Commit,
    nullable: true,
    complexity: heavyCost,
    description:
      'Undoes the changes of a commit on a branch in a new commit. Null for a dry run. Users who may push to the branch.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      sha: t.arg.string({
        required: true,
        description: 'The id of the commit.',
        extensions: publiclyTyped('SHA'),
      }),
      branch: t.arg.string({ required: true, description: 'The branch that gets the commit.' }),
      isDryRun: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to check for conflicts only, and change nothing.',
      }),
    },
    resolve: async (_root, { project: ref, isDryRun, ...revert }, ctx) => {
      const project = await findWritableProject(ref, ctx);
      const id = await revertCommit(project, { ...revert, isDryRun: isDryRun === true }, ctx);
      return id === null ? null : createdCommit(project, id, ctx);
    },
  }),
}));

/** A commit that was just written. */
export async function createdCommit(
  repository: ReadableRepository,
  id: string,
  { git }: Pick<Context, 'git'>,
): Promise<ProjectCommit> {
  const commit = await git.commitBehind(repository, id);
  if (!commit) throw notFound('Commit');
  return { ...commit, repository };
}
