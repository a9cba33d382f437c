import { builder } from '../kernel/builder.ts';
import { openIfReadable } from '../kernel/private-token.ts';
import { ifVisible } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { pageType } from '../listing/page-types.ts';
import { mostVariables } from '../variables/pipeline-variables.ts';
import { schedulesProjectById } from './find.ts';
import { canSeeScheduleVariables } from './policy.ts';

export const PipelineScheduleVariable = builder.prismaObject('PipelineScheduleVariable', {
  description: 'A variable in the environment of the jobs of a schedule.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The name of the variable.' }),
    value: t.string({
      description: 'The value, in plain text. Empty if the stored value is damaged.',
      resolve: ({ valueSealed }, _args, ctx) => openIfReadable(valueSealed, ctx) ?? '',
    }),
  }),
});

export const PipelineSchedule = builder.prismaObject('PipelineSchedule', {
  description:
    'Creates pipelines of a branch or tag at certain times, in the name of its owner. Only users with the access level DEVELOPER or higher see it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the schedule.' }),
    description: t.exposeString('description', {
      description: 'The text by which users recognize it.',
    }),
    ref: t.exposeString('ref', { description: 'The branch or tag, whose newest commit is used.' }),
    cron: t.exposeString('cron', {
      description:
        'The times as an expression of cron: minute, hour, day of the month, month, day of the week.',
    }),
    cronTimezone: t.exposeString('cronTimezone', {
      description:
        'The time zone of the expression: a name of the IANA database such as `Europe/Berlin`, or of ActiveSupport such as `Berlin`.',
    }),
    isActive: t.exposeBoolean('isActive', {
      description:
        'Whether it creates pipelines. The service deactivates a schedule whose owner may no longer run pipelines of the ref.',
    }),
    nextRunAt: t.expose('nextRunAt', {
      type: 'DateTime',
      description: 'When the next pipeline is due, if the schedule is active then.',
    }),
    lastRunAt: t.expose('lastRunAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the latest run was due, whether it created a pipeline or failed; null before the first.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the latest run created no pipeline; null if it did.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    project: t.relation('project', { description: 'The project whose pipelines it creates.' }),
    owner: t.relation('owner', {
      nullable: true,
      description: 'The user in whose name pipelines are created; null if the user was deleted.',
    }),
    lastPipeline: t.relation('lastPipeline', {
      nullable: true,
      description: 'The newest pipeline that it created; null if there is none.',
    }),
    variables: t.field({
      type: [PipelineScheduleVariable],
      nullable: true,
      description:
        'The variables for the jobs, the oldest first. Null for a user who is neither the owner of the schedule nor has the access level MASTER.',
      complexity: { field: 0, multiplier: mostVariables },
      select: (_args, _ctx, nested) => ({
        projectId: true,
        ownerId: true,
        variables: nested({ orderBy: { id: 'asc' } }),
      }),
      resolve: ({ projectId, ownerId, variables }, _args, ctx) =>
        ifVisible(async () => {
          const { level } = await schedulesProjectById(projectId, ctx);
          const isShown = canSeeScheduleVariables(signedIn(ctx).id, level, ownerId);
          return isShown ? variables : null;
        }),
    }),
  }),
});

export const PipelineSchedulePage = pageType('PipelineSchedule', PipelineSchedule);
