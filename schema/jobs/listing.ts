import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import type { Parent } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { SortDirection } from '../listing/sort.ts';
import type { CiStatus as Status } from '../pipelines/status.ts';
import { CiStatus } from '../pipelines/types.ts';
import type { Job } from './types.ts';

const JobOrder = builder.enumType('JobOrder', {
  description: 'What jobs are ordered by.',
  values: {
    id: { description: 'The id, which grows with the time of creation.' },
    stage: { description: 'The stage in its order, then the name, then the id.' },
  },
});

const JobFilter = builder.inputType('JobFilter', {
  description: 'Which jobs a listing has: those that match all fields.',
  fields: (t) => ({
    statuses: t.field({
      type: [CiStatus],
      description: 'Only jobs with one of these statuses; all if omitted.',
    }),
    includesRetried: t.boolean({
      defaultValue: true,
      description: 'Whether jobs that a retry has replaced are listed, too.',
    }),
  }),
});

/** The arguments of every listing of jobs. */
export const jobListArgs = builder.args((t) => ({
  filter: t.field({ type: JobFilter, description: 'Which jobs the listing has.' }),
  sort: t.field({
    type: SortDirection,
    defaultValue: 'desc' as const,
    description: 'The direction of the order by id: by default the newest job is first.',
  }),
}));

/** The further argument of the jobs of one pipeline, which are few enough to be sorted by stage. */
export const pipelineJobArgs = builder.args((t) => ({
  orderBy: t.field({
    type: JobOrder,
    defaultValue: 'id' as const,
    description: 'What the jobs are ordered by. `sort` does not change the order by stage.',
  }),
}));

interface ListArgs extends PageArgs {
  readonly filter?: Partial<typeof JobFilter.$inferInput> | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
  readonly orderBy?: typeof JobOrder.$inferInput | null | undefined;
}

type JobRow = typeof Job.$inferType;

/** A page of the jobs of `parent` that match the arguments and the condition `within`. */
export function listJobs(
  { filter, sort, orderBy, ...page }: ListArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
  parent: Parent,
  within: readonly Prisma.Sql[] = [],
): Page<JobRow> {
  return pageOfRecords(ctx, {
    table: 'jobs',
    parent,
    where: allOf([
      ...within,
      ...(filter?.statuses ? [withStatus(filter.statuses)] : []),
      ...(filter?.includesRetried === false ? [Prisma.sql`NOT is_retried`] : []),
    ]),
    column: 'id',
    direction: sort ?? 'desc',
    ...(orderBy === 'stage' && { order: 'stage_index, name, id' }),
    page,
  });
}

/** Literals, not parameters, so that the planner knows them: few jobs run, and many have ended. */
const withStatus = (statuses: readonly Status[]): Prisma.Sql =>
  statuses.length === 0
    ? Prisma.sql`false`
    : Prisma.raw(`status IN (${statuses.map((status) => `'${status}'`).join(', ')})`);
