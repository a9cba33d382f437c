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
import { Runner, RunnerAccess } from './types.ts';

const runnerArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the runner.' }),
}));

export const RunnerSettings = builder.inputType('RunnerSettings', {
  description: 'What is left out stays as it is, or, of a new runner, is as usual.',
  fields: (t) => ({
    description: t.string({ description: 'The description; null clears it.' }),
    isActive: t.boolean({ description: 'Whether the runner gets jobs. A new runner does.' }),
    tagList: t.stringList({
      description:
        'The tags; they replace the existing ones. A runner runs jobs all of whose tags it has.',
    }),
    runsUntagged: t.boolean({
      description: 'Whether the runner runs jobs without tags. A new runner does.',
    }),
    isLocked: t.boolean({
      description: 'Whether the runner cannot be enabled in further projects.',
    }),
    access: t.field({
      type: RunnerAccess,
      description:
        'Whether the runner runs all jobs, or only those of protected branches and tags.',
    }),
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
    type: Runner,
    description:
      'Changes a runner; absent settings stay as they are. Masters of a project of a specific runner; administrators.',
    args: {
      ...runnerArgs,
      settings: t.arg({
        type: RunnerSettings,
        required: true,
        description: 'The settings; absent ones stay as they are.',
      }),
    },
    resolve: async (query, _root, { id, settings }, ctx) => {
      await updateRunner(id, changeOf(settings), ctx);
      return ctx.db.runner.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteRunner: t.id({
    extensions: { identifies: 'Runner' },
    description:
      'Deletes a runner. Masters of the only project of a specific runner; administrators.',
    args: runnerArgs,
    resolve: (_root, { id }, ctx) => done(deleteRunner(id, ctx), id),
  }),
}));

const inProject = builder.args((t) => ({
  project: t.id({ required: true, description: 'The id or full path of the project.' }),
  id: t.int({ required: true, description: 'The id of the runner.' }),
}));

builder.mutationFields((t) => ({
  enableRunner: t.prismaField({
    type: Runner,
    description:
      'Enables a specific runner in a further project. Masters of both projects, if the runner is not locked; administrators.',
    args: inProject,
    resolve: async (query, _root, { project, id }, ctx) => {
      await enableRunner(project, id, ctx);
      return ctx.db.runner.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  disableRunner: t.prismaField({
    type: Runner,
    description:
      'Disables a specific runner in one of its projects, but not in its last one. Masters of the project.',
    args: inProject,
    resolve: async (query, _root, { project, id }, ctx) => {
      await disableRunner(project, id, ctx);
      return ctx.db.runner.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
}));
