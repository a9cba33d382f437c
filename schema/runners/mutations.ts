import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import {
  deleteRunner,
  disableRunner,
  enableRunner,
  type RunnerChange,
  updateRunner,
} from './change.ts';
import { Runner, RunnerAccess, RunnerDetails } from './types.ts';

const runnerArgs = builder.args((t) => ({ id: t.int({ required: true }) }));

export const RunnerSettings = builder.inputType('RunnerSettings', {
  description: 'What is left out stays as it is, or, of a new runner, is as usual.',
  fields: (t) => ({
    description: t.string(),
    isActive: t.boolean(),
    /** Replaces all tags. */
    tagList: t.stringList(),
    runsUntagged: t.boolean(),
    isLocked: t.boolean(),
    access: t.field({ type: RunnerAccess }),
  }),
});

/** The given fields, without the omitted ones. */
export const changeOf = ({
  tagList,
  ...settings
}: typeof RunnerSettings.$inferInput): RunnerChange => ({
  ...given(settings, ['description']),
  ...(tagList && { tags: tagList }),
});

builder.mutationFields((t) => ({
  updateRunner: t.prismaField({
    type: RunnerDetails,
    extensions: { payload: 'runner' },
    args: { ...runnerArgs, settings: t.arg({ type: RunnerSettings, required: true }) },
    resolve: async (query, _root, { id, settings }, ctx) => {
      await updateRunner(id, changeOf(settings), ctx);
      return ctx.db.runner.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteRunner: t.boolean({
    args: runnerArgs,
    resolve: (_root, { id }, ctx) => done(deleteRunner(id, ctx)),
  }),
}));

const inProject = builder.args((t) => ({
  project: t.id({ required: true }),
  id: t.int({ required: true }),
}));

builder.mutationFields((t) => ({
  enableRunner: t.prismaField({
    type: Runner,
    description: 'Lets a specific runner take the jobs of a further project.',
    args: inProject,
    resolve: async (query, _root, { project, id }, ctx) => {
      await enableRunner(project, id, ctx);
      return ctx.db.runner.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  disableRunner: t.boolean({
    args: inProject,
    resolve: (_root, { project, id }, ctx) => done(disableRunner(project, id, ctx)),
  }),
}));
