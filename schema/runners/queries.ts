import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { allOf } from '../kernel/sql.ts';
import { listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { findRunner, findRunnerByToken, findRunnersProject, runnersOfProjects } from './find.ts';
import { canListAllRunners, reasonNotToShow } from './policy.ts';
import { type Runner, RunnerDetails, RunnerPage } from './types.ts';

const scopes = ['active', 'paused', 'online', 'specific', 'shared'] as const;

type Scope = (typeof scopes)[number];

const RunnerScope = builder.enumType('RunnerScope', { values: scopes });

const conditions: Readonly<Record<Scope, Prisma.Sql>> = {
  active: Prisma.sql`is_active`,
  paused: Prisma.sql`NOT is_active`,
  // contacted within the last hour (v4-behaviour 2.1)
  online: Prisma.sql`contacted_at > now() - interval '1 hour'`,
  specific: Prisma.sql`NOT is_shared`,
  shared: Prisma.sql`is_shared`,
};

const listing = builder.args((t) => ({ scope: t.field({ type: RunnerScope }) }));

interface Asked extends PageArgs {
  readonly scope?: Scope | null | undefined;
}

type RunnerRow = typeof Runner.$inferType;

/** A page of the runners that match a condition, oldest first. */
function runnerPage(
  { scope, ...page }: Asked,
  condition: Prisma.Sql,
  ctx: Context,
): Page<RunnerRow> {
  const where = allOf([condition, ...(scope ? [conditions[scope]] : [])]);
  const reader = readerOf(ctx, { table: 'runners', where, column: 'id', direction: 'asc', page });
  return {
    nodes: (query) => recordsOn(ctx, reader, 'runner', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

builder.queryFields((t) => ({
  runners: t.field({
    type: RunnerPage,
    description: 'The specific runners of the projects whose master the viewer is.',
    complexity: listingCost,
    args: { ...listing, ...pageArgs },
    resolve: (_root, listArgs, ctx) => {
      const viewer = signedIn(ctx);
      const mastered = Prisma.sql`projects.id IN (${projectsAtLevel(viewer, Access.master)})`;
      return runnerPage(listArgs, Prisma.sql`id IN (${runnersOfProjects(mastered)})`, ctx);
    },
  }),
  allRunners: t.field({
    type: RunnerPage,
    description: 'All there are; administrators.',
    complexity: listingCost,
    args: { ...listing, ...pageArgs },
    resolve: (_root, listArgs, ctx) => {
      if (!canListAllRunners(signedIn(ctx))) throw forbidden();
      return runnerPage(listArgs, Prisma.sql`true`, ctx);
    },
  }),
  projectRunners: t.field({
    type: RunnerPage,
    description: 'Those that take the jobs of a project, shared ones if it has them; masters.',
    complexity: listingCost,
    args: { project: t.arg.id({ required: true }), ...listing, ...pageArgs },
    resolve: async (_root, { project, ...listArgs }, ctx) => {
      const { id, sharedRunnersEnabled } = await findRunnersProject(project, ctx);
      const own = Prisma.sql`SELECT runner_id FROM runner_projects WHERE project_id = ${id}`;
      const shared = sharedRunnersEnabled
        ? Prisma.sql`UNION ALL SELECT id FROM runners WHERE is_shared`
        : Prisma.empty;
      return runnerPage(listArgs, Prisma.sql`id IN (${own} ${shared})`, ctx);
    },
  }),
  runner: t.prismaField({
    type: RunnerDetails,
    args: { id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { id }, ctx) => {
      await findRunner(id, reasonNotToShow, ctx);
      return ctx.db.runner.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  registeredRunner: t.field({
    extensions: internal,
    type: 'Int',
    description: 'The id of the runner that shows this token of its own.',
    args: { token: t.arg.string({ required: true }) },
    resolve: async (_root, { token }, ctx) => (await findRunnerByToken(token, ctx)).id,
  }),
}));
