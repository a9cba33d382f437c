import { Prisma } from '../../prisma/client.ts';
import { CommitStatusFilter, externalStage, statusConditions } from '../commits/statuses.ts';
import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal } from '../kernel/public.ts';
import { allOf } from '../kernel/sql.ts';
import { listingCost, offsetPage, type PageArgs, pageArgs, rowsOf } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { recordById } from '../listing/records.ts';
import { canViewPipelines } from '../pipelines/newest.ts';
import type { CiStatus as Status } from '../pipelines/status.ts';
import { CiStatus } from '../pipelines/types.ts';
import { User } from '../users/types.ts';

/** An external status of a commit, or a job of one of its pipelines. */
interface Check {
  readonly id: number;
  readonly sha: string;
  readonly ref: string | null;
  readonly status: Status;
  readonly name: string;
  readonly targetUrl: string | null;
  readonly description: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly allowFailure: boolean;
  readonly coverage: number | null;
  readonly authorId: number | null;
}

const CommitCheck = builder.objectRef<Check>('CommitCheck').implement({
  description: 'What v4 lists as a status of a commit: an external status, or a job.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the status or of the job.' }),
    sha: t.expose('sha', { type: 'SHA', description: 'The id of the commit.' }),
    ref: t.exposeString('ref', {
      nullable: true,
      description: 'The branch or tag. Null if an external service named none.',
    }),
    status: t.expose('status', { type: CiStatus, description: 'The status.' }),
    name: t.exposeString('name', { description: 'The name of the check or job.' }),
    targetUrl: t.expose('targetUrl', {
      type: 'URL',
      nullable: true,
      description:
        'The address of the details at the external service. Null if it gave none, and for jobs.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'A short text of the external service. Null if it gave none, and for jobs.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it started. Null before.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it finished. Null before.',
    }),
    allowFailure: t.exposeBoolean('allowFailure', {
      description: 'Whether a failure does not fail the pipeline.',
    }),
    coverage: t.exposeFloat('coverage', {
      nullable: true,
      description: 'The test coverage in percent. Null if it is not known.',
    }),
    author: t.prismaField({
      type: User,
      nullable: true,
      description:
        'The user who set the status, or for whom the job runs. Null if the account was deleted.',
      resolve: (query, { authorId }, _args, ctx) => {
        // Pothos reports a query that is never read
        const selection = { ...query };
        return authorId === null ? null : recordById(ctx, 'user', authorId, selection);
      },
    }),
  }),
});

type Filter = typeof CommitStatusFilter.$inferInput;

interface Place {
  readonly projectId: number;
  readonly sha: string;
}

/** The external statuses, with the columns of a check. */
const statuses = ({ projectId, sha }: Place, filter: Filter): Prisma.Sql => Prisma.sql`
  SELECT 0 AS kind, id, sha, ref, state::text AS status, name, target_url, description, created_at,
    started_at, finished_at, allow_failure, coverage, author_id
  FROM commit_statuses
  WHERE project_id = ${projectId} AND ${statusConditions({ projectId, sha }, filter)}`;

/** The jobs of the commit's pipelines, with the same columns. */
function jobs({ projectId, sha }: Place, filter: Filter): Prisma.Sql {
  const { ref, stage, name, includesReplaced } = filter;
  const conditions = [
    ...(ref ? [Prisma.sql`pipelines.ref = ${ref}`] : []),
    ...(stage ? [Prisma.sql`jobs.stage = ${stage}`] : []),
    ...(name ? [Prisma.sql`jobs.name = ${name}`] : []),
    ...(includesReplaced ? [] : [Prisma.sql`NOT jobs.is_retried`]),
  ];
  return Prisma.sql`
    SELECT 1, jobs.id, pipelines.sha, pipelines.ref, jobs.status::text, jobs.name, NULL, NULL,
      jobs.created_at, jobs.started_at, jobs.finished_at, jobs.is_allowed_to_fail, jobs.coverage,
      jobs.user_id
    FROM pipelines JOIN jobs ON jobs.pipeline_id = pipelines.id
    WHERE pipelines.project_id = ${projectId} AND pipelines.sha = ${sha} AND ${allOf(conditions)}`;
}

/** A page of the checks of a commit: the external statuses first, each the oldest first. */
async function checksOf(place: Place, filter: Filter, page: PageArgs, ctx: Context) {
  const { db } = ctx;
  const isWithJobs =
    filter.stage !== externalStage && (await canViewPipelines(place.projectId, ctx));
  const all = isWithJobs
    ? Prisma.sql`${statuses(place, filter)} UNION ALL ${jobs(place, filter)}`
    : statuses(place, filter);
  return offsetPage<Check>(
    {
      nodes: () => {
        const { skip, take } = rowsOf(page);
        return db.$queryRaw<Check[]>`
          SELECT id, sha, ref, status, name, target_url AS "targetUrl", description,
            created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt",
            allow_failure AS "allowFailure", coverage, author_id AS "authorId"
          FROM (${all}) AS checks ORDER BY kind, id OFFSET ${skip} LIMIT ${take}`;
      },
      total: async () => {
        const [row] = await db.$queryRaw<[{ count: number }]>`
          SELECT count(*)::int AS count FROM (${all}) AS checks`;
        return row.count;
      },
    },
    page,
  );
}

builder.objectField(Commit, 'checks', (t) =>
  t.field({
    type: pageType('CommitCheck', CommitCheck),
    extensions: internal,
    description:
      'The external statuses, the newest of each name and ref, and the jobs of all pipelines that were not retried.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: CommitStatusFilter, description: 'Default: all names and refs.' }),
    },
    resolve: ({ id: sha, repository: { id: projectId } }, { filter, ...page }, ctx) =>
      checksOf({ projectId, sha }, filter ?? {}, page, ctx),
  }),
);
