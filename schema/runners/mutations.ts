import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { endingWith } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
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
  description:
    'The settings of a runner. An update leaves omitted ones unchanged; a new runner has their defaults.',
  fields: (t) => ({
    description: t.string({
      description: 'The description.',
      extensions: endingWith({ updating: 'Null clears it.' }),
    }),
    isActive: t.boolean({
      description: 'Whether the runner gets jobs.',
      extensions: endingWith({ creating: 'Default: true.' }),
    }),
    tagList: t.stringList({
      description: 'The tags. A runner runs jobs all of whose tags it has.',
      extensions: endingWith({ updating: 'The list replaces the existing one.' }),
    }),
    runUntagged: t.boolean({
      description: 'Whether the runner runs jobs without tags.',
      extensions: endingWith({ creating: 'Default: true.' }),
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
  runUntagged: runsUntagged,
  ...settings
}: typeof RunnerSettings.$inferInput): RunnerChange => ({
  ...given({ ...settings, runsUntagged }, ['description']),
  ...(tagList && { tags: tagList }),
});

builder.mutationFields((t) => ({
  updateRunner: t.prismaField({
    type: Runner,
    description:
      'Changes a runner; absent settings stay as they are. Masters of a project of a specific runner and administrators may do it.',
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
      return storedRecord(ctx, 'runner', id, query);
    },
  }),
  deleteRunner: t.id({
    extensions: { identifies: 'Runner' },
    description:
      'Deletes a runner. Masters of the only project of a specific runner and administrators may do it.',
    args: runnerArgs,
    resolve: (_root, { id }, ctx) => done(deleteRunner(id, ctx), id),
  }),
}));

const inProject = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  id: t.int({ required: true, description: 'The id of the runner.' }),
}));

builder.mutationFields((t) => ({
  enableRunner: t.prismaField({
    type: Runner,
    description:
      'Enables a specific runner in a further project. Masters of both projects may do it if the runner is not locked, and administrators.',
    args: inProject,
    resolve: async (query, _root, { project, id }, ctx) => {
      await enableRunner(project, id, ctx);
      return storedRecord(ctx, 'runner', id, query);
    },
  }),
  disableRunner: t.prismaField({
    type: Runner,
    description:
      'Disables a specific runner in one of its projects, but not in its last one. Requires the access level MASTER in the project.',
    args: inProject,
    resolve: async (query, _root, { project, id }, ctx) => {
      await disableRunner(project, id, ctx);
      return storedRecord(ctx, 'runner', id, query);
    },
  }),
}));
