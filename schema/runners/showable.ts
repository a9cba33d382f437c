import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { runnersOfProjects } from './find.ts';
import { reasonNotToShow } from './policy.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;

/** The columns that the rule needs. */
export interface RunnerRecord {
  readonly id: number;
  readonly isShared: boolean;
}

/** Whether the viewer is a master of a project of the runner. */
const isMasterOf = batched<number, boolean, Caller>(async (ids, { db, viewer }) => {
  if (!viewer) return new Map();
  const mastered = Prisma.sql`runner_id = ANY(${[...ids]}::int[])
    AND project_id IN (${projectsAtLevel(viewer, Access.master)})`;
  const rows = await db.$queryRaw<{ runner_id: number }[]>(runnersOfProjects(mastered));
  return new Map(rows.map(({ runner_id: id }) => [id, true]));
}, false);

/**
 * The viewer, if they may see the details of the runner; throws as `findRunner` does. The runners
 * of all rows are checked together, shared ones without a statement.
 */
export async function showableRunner({ id, isShared }: RunnerRecord, ctx: Caller): Promise<Viewer> {
  const viewer = signedIn(ctx);
  const { isAdmin } = viewer;
  const isMaster = !isAdmin && !isShared && (await isMasterOf(id, ctx));
  const reason = reasonNotToShow({ isAdmin, isShared, isMaster });
  if (reason !== null) throw forbidden(reason);
  return viewer;
}
