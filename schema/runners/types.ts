import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { pageType } from '../listing/page-types.ts';
import { canSeeRunnerToken } from './policy.ts';
import { type RunnerRecord, showableRunner } from './showable.ts';

export const RunnerAccess = builder.enumType('RunnerAccess', {
  description: 'The jobs that a runner runs.',
  values: {
    not_protected: { description: 'Jobs of all branches and tags.' },
    ref_protected: { description: 'Only jobs of protected branches and tags.' },
  },
});

/**
 * The resolver of a detail, which is null unless the viewer may see the runner itself and not only
 * one of its jobs (v4-behaviour 2.1).
 */
const detail =
  <Row extends RunnerRecord, Value>(value: (runner: Row) => Value) =>
  (runner: Row, _args: object, ctx: Context): Promise<Value | null> =>
    ifVisible(async () => {
      await showableRunner(runner, ctx);
      return value(runner);
    });

const whoMay =
  'Null for a user who is neither an administrator nor a master of a project of the runner, unless it is shared.';

export const Runner = builder.prismaObject('Runner', {
  description:
    'A program that requests jobs and runs them. A user who can see one of its jobs can see its `id`, `name`, `description`, `isActive` and `isShared`.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the runner.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'The text by which users recognize it; null without one.',
    }),
    isActive: t.exposeBoolean('isActive', {
      description: 'Whether it receives jobs; false while it is paused.',
    }),
    isShared: t.exposeBoolean('isShared', {
      description:
        'Whether it runs jobs of all projects with shared runners; otherwise those of the projects that it is enabled in.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name that the program reports, such as `gitlab-runner`.',
    }),
    tagList: t.stringList({
      nullable: true,
      description: `The tags of jobs that it can run. ${whoMay}`,
      resolve: detail(({ tags }) => tags),
    }),
    runUntagged: t.boolean({
      nullable: true,
      description: `Whether it also runs jobs without tags. ${whoMay}`,
      resolve: detail(({ runsUntagged }) => runsUntagged),
    }),
    isLocked: t.boolean({
      nullable: true,
      description: `Whether it cannot be enabled in further projects. ${whoMay}`,
      resolve: detail(({ isLocked }) => isLocked),
    }),
    access: t.field({
      type: RunnerAccess,
      nullable: true,
      description: `Whether it runs the jobs of all refs, or only of protected ones. ${whoMay}`,
      resolve: detail(({ access }) => access),
    }),
    version: t.string({
      nullable: true,
      description: `The version that it reports, or null. ${whoMay}`,
      resolve: detail(({ version }) => version),
    }),
    revision: t.string({
      nullable: true,
      description: `The revision of its source code that it reports, or null. ${whoMay}`,
      resolve: detail(({ revision }) => revision),
    }),
    platform: t.string({
      nullable: true,
      description: `The operating system that it reports, such as \`linux\`, or null. ${whoMay}`,
      resolve: detail(({ platform }) => platform),
    }),
    architecture: t.string({
      nullable: true,
      description: `The processor architecture that it reports, such as \`amd64\`, or null. ${whoMay}`,
      resolve: detail(({ architecture }) => architecture),
    }),
    contactedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: `When it last contacted the service, precise to a minute; null if never. ${whoMay}`,
      resolve: detail(({ contactedAt }) => contactedAt),
    }),
    token: t.string({
      extensions: internal,
      nullable: true,
      resolve: async (runner, _args, ctx) => {
        const { viewer, secrets } = ctx;
        if (!viewer || !canSeeRunnerToken(viewer, runner)) return null;
        return detail((shown: typeof runner) => secrets.open(shown.tokenSealed))(runner, {}, ctx);
      },
    }),
  }),
});

export const RunnerPage = pageType('Runner', Runner);
