import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf } from '../kernel/sql.ts';
import { listingCost } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { memberProjects } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { canSeeRunnerToken, runnerAccesses } from './policy.ts';

export const RunnerAccess = builder.enumType('RunnerAccess', { values: runnerAccesses });

/** A program that runs jobs; visible to all users who can see one of its jobs. */
export const Runner = builder.prismaObject('Runner', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    description: t.exposeString('description', { nullable: true }),
    isActive: t.exposeBoolean('isActive'),
    isShared: t.exposeBoolean('isShared'),
    name: t.exposeString('name', { nullable: true }),
  }),
});

export const RunnerPage = pageType('Runner', Runner);

/** Only the first projects of a runner are shown. */
const maxProjects = 1000;

/** The same for users who may view the runner itself (v4-behaviour 2.1). */
export const RunnerDetails = builder.prismaObject('Runner', {
  variant: 'RunnerDetails',
  fields: (t) => ({
    id: t.exposeInt('id', { extensions: { identifies: 'Runner' } }),
    description: t.exposeString('description', { nullable: true }),
    isActive: t.exposeBoolean('isActive'),
    isShared: t.exposeBoolean('isShared'),
    name: t.exposeString('name', { nullable: true }),
    tagList: t.exposeStringList('tags'),
    runsUntagged: t.exposeBoolean('runsUntagged'),
    isLocked: t.exposeBoolean('isLocked', {
      description: 'It cannot be enabled in further projects.',
    }),
    access: t.expose('access', { type: RunnerAccess }),
    version: t.exposeString('version', { nullable: true }),
    revision: t.exposeString('revision', { nullable: true }),
    platform: t.exposeString('platform', { nullable: true }),
    architecture: t.exposeString('architecture', { nullable: true }),
    /** Precise to a minute. */
    contactedAt: t.expose('contactedAt', { type: 'DateTime', nullable: true }),
    /** The token for requesting jobs; of shared runners visible to administrators only. */
    token: t.string({
      nullable: true,
      select: { isShared: true, tokenSealed: true },
      resolve: (runner, _args, { viewer, secrets }) =>
        viewer && canSeeRunnerToken(viewer, runner) ? secrets.open(runner.tokenSealed) : null,
    }),
    /** The projects it is enabled in, of which the viewer is a member. */
    projects: t.prismaField({
      type: [Project],
      complexity: listingCost({ perPage: 100 }),
      select: { id: true },
      resolve: async (query, { id }, _args, ctx) => {
        const ids = await projectIdsOf(id, ctx);
        return ctx.db.project.findMany({
          ...query,
          relationLoadStrategy: 'join',
          where: { id: { in: ids }, isRemoved: false },
          orderBy: { id: 'asc' },
        });
      },
    }),
  }),
});

async function projectIdsOf(runnerId: number, { db, viewer }: Context): Promise<number[]> {
  if (!viewer) return [];
  const enabled = Prisma.sql`id IN (
    SELECT project_id FROM runner_projects WHERE runner_id = ${runnerId})`;
  const conditions = [enabled, ...(viewer.isAdmin ? [] : [memberProjects(viewer)])];
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM projects WHERE NOT is_removed AND ${allOf(conditions)}
    ORDER BY id LIMIT ${maxProjects}`;
  return rows.map(({ id }) => id);
}
