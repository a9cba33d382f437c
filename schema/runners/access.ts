import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import {
  type RunnerRule,
  type RunnerStanding,
  reasonNotToDelete,
  reasonNotToEnable,
  reasonNotToUpdate,
} from './policy.ts';
import { Runner } from './types.ts';

type Projects = Pick<RunnerStanding, 'projectCount' | 'isMaster'>;

/** The projects of runners, and whether the viewer is a master of one: one statement for all rows. */
const projectsOf = batched<number, Projects, Pick<Context, 'db' | 'viewer'>>(
  async (ids, { db, viewer }) => {
    if (!viewer) return new Map();
    const mastered = Prisma.sql`projects.id IN (${projectsAtLevel(viewer, Access.master)})`;
    const rows = await db.$queryRaw<(Projects & { id: number })[]>`
      SELECT runner_id AS id, count(*)::int AS "projectCount", bool_or(${mastered}) AS "isMaster"
      FROM runner_projects JOIN projects ON projects.id = runner_projects.project_id
      WHERE NOT projects.is_removed AND runner_id = ANY(${[...ids]}::int[])
      GROUP BY runner_id`;
    return new Map(rows.map(({ id, ...projects }) => [id, projects]));
  },
  { projectCount: 0, isMaster: false },
);

interface Traits extends Pick<RunnerStanding, 'isShared' | 'isLocked'> {
  readonly id: number;
}

const selected = { id: true, isShared: true, isLocked: true } as const;

const isAllowedBy =
  (rule: RunnerRule) =>
  async ({ id, isShared, isLocked }: Traits, _args: object, ctx: Context): Promise<boolean> => {
    const { viewer } = ctx;
    if (!viewer) return false;
    const projects = await projectsOf(id, ctx);
    return rule({ ...projects, isShared, isLocked, isAdmin: viewer.isAdmin }) === null;
  };

builder.prismaObjectFields(Runner, (t) => ({
  canUpdate: t.boolean({
    description: 'Whether the current user may change, pause and resume it.',
    select: selected,
    resolve: isAllowedBy(reasonNotToUpdate),
  }),
  canDelete: t.boolean({
    description: 'Whether the current user may delete it.',
    select: selected,
    resolve: isAllowedBy(reasonNotToDelete),
  }),
  canEnable: t.boolean({
    description: 'Whether the current user may enable it in further projects of theirs.',
    select: selected,
    resolve: isAllowedBy(reasonNotToEnable),
  }),
}));
