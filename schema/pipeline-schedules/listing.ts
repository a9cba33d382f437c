import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { PipelineSchedule } from './types.ts';

const PipelineScheduleFilter = builder.inputType('PipelineScheduleFilter', {
  description: 'Which pipeline schedules a listing has.',
  fields: (t) => ({
    isActive: t.boolean({
      description: 'Whether they create pipelines; both if omitted.',
    }),
  }),
});

/** The arguments of every listing of schedules, besides those of pages. */
export const scheduleListArgs = builder.args((t) => ({
  filter: t.field({
    type: PipelineScheduleFilter,
    description: 'Which schedules the listing has.',
  }),
}));

interface ListArgs extends PageArgs {
  readonly filter?: { readonly isActive?: boolean | null | undefined } | null | undefined;
}

/** A page of the schedules of a project, oldest first. */
export function listSchedules(
  projectId: number,
  { filter, ...page }: ListArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<typeof PipelineSchedule.$inferType> {
  const isActive = filter?.isActive ?? null;
  return pageOfRecords(ctx, {
    table: 'pipeline_schedules',
    parent: belongsTo('project_id', projectId),
    where: allOf(isActive === null ? [] : [Prisma.sql`is_active = ${isActive}`]),
    column: 'id',
    direction: 'asc',
    page,
  });
}
