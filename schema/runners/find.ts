import { Prisma, type Transaction } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { refuseToken } from '../oauth/wrong-token.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { findProject, projectById } from '../projects/find.ts';
import { canManageRunners, type RunnerRule, type RunnerStanding } from './policy.ts';

/** The database, or a transaction that has locked the runner. */
interface Asking extends Pick<Context, 'viewer'> {
  readonly db: Pick<Transaction, '$queryRaw'>;
}

/** The ids of the runners of projects that match a condition on `projects`. */
export const runnersOfProjects = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT runner_id FROM runner_projects JOIN projects ON projects.id = runner_projects.project_id
  WHERE NOT projects.is_removed AND ${condition}`;

/**
 * The runner `id`, if `rule` allows it; throws `not found`, or `forbidden` with the reason
 * (v4-behaviour 2.1).
 */
export async function findRunner(
  id: number,
  rule: RunnerRule,
  { db, viewer }: Asking,
): Promise<RunnerStanding & { readonly updatedAt: Date }> {
  const asking = signedIn({ viewer });
  const own = Prisma.sql`runner_id = ${id}`;
  const mastered = Prisma.sql`project_id IN (${projectsAtLevel(asking, Access.master)})`;
  const [runner] = await db.$queryRaw<(Omit<RunnerStanding, 'isAdmin'> & { updatedAt: Date })[]>`
    SELECT is_shared AS "isShared", is_locked AS "isLocked", updated_at AS "updatedAt",
      (SELECT count(*)::int FROM (${runnersOfProjects(own)}) enabled) AS "projectCount",
      EXISTS (${runnersOfProjects(Prisma.sql`${own} AND ${mastered}`)}) AS "isMaster"
    FROM runners WHERE id = ${id}`;
  if (!runner) throw recordNotFound();
  const standing = { ...runner, isAdmin: asking.isAdmin };
  const reason = rule(standing);
  if (reason !== null) throw forbidden(reason);
  return standing;
}

/** Locks a runner, as every change to it or its projects does first; false when it does not exist. */
export async function lockRunner(tx: Pick<Transaction, '$queryRaw'>, id: number): Promise<boolean> {
  const rows = await tx.$queryRaw<
    object[]
  >`SELECT id FROM runners WHERE id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** The same; throws when it does not exist. */
export async function lockExistingRunner(
  tx: Pick<Transaction, '$queryRaw'>,
  id: number,
): Promise<void> {
  if (!(await lockRunner(tx, id))) throw recordNotFound();
}

/** A project whose runners the viewer manages. */
export function findRunnersProject(ref: string, ctx: Pick<Context, 'db' | 'viewer'>) {
  // anonymous users get 401 even for public projects (v4-behaviour 1.4)
  signedIn(ctx);
  return findProject(ref, ctx, (_viewer, level) => canManageRunners(level));
}

/** As `findRunnersProject`, for edges. */
export function runnersProjectById(id: number, ctx: Pick<Context, 'db' | 'viewer'>) {
  signedIn(ctx);
  return projectById(id, ctx, (_viewer, level) => canManageRunners(level));
}

interface Knowing extends Pick<Context, 'secrets'> {
  readonly db: Pick<Transaction, 'runner'>;
}

/** The runner with this token, or null. */
export const lookupRunnerByToken = (token: string, { db, secrets }: Knowing) =>
  db.runner.findUnique({ where: { tokenDigest: secrets.digest(token) } });

/** The same; throws `forbidden` when there is none (v4-behaviour 3.12). */
export async function findRunnerByToken(
  token: string,
  ctx: Knowing & Pick<Context, 'request' | 'signInLimits'>,
) {
  return (await lookupRunnerByToken(token, ctx)) ?? refuseToken(forbidden(), ctx);
}
