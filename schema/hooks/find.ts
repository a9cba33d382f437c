import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound, unauthenticated } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import {
  accessibleProject,
  findProject,
  type ProjectFacts,
  projectById,
} from '../projects/find.ts';
import { canManageHooks, canManageSystemHooks } from './policy.ts';

type Asking = Pick<Context, 'db' | 'viewer'>;

/** The owner of hooks: a project, or the instance if null. */
export interface HookOwner {
  readonly projectId: number | null;
}

/** The project `ref`, or the instance if null, if the viewer manages its hooks. */
export async function findHookOwner(
  ref: string | null | undefined,
  ctx: Asking,
): Promise<HookOwner> {
  const { viewer } = ctx;
  if (!viewer) throw unauthenticated();
  if (ref === null || ref === undefined) {
    if (!canManageSystemHooks(viewer)) throw forbidden();
    return { projectId: null };
  }
  const { id } = await findProject(ref, ctx, (_viewer, level) => canManageHooks(level));
  return { projectId: id };
}

/** The project with this id, if the viewer manages its hooks; for edges. */
export async function hookOwnerById(id: number, ctx: Asking): Promise<HookOwner> {
  await projectById(id, ctx, (_viewer, level) => canManageHooks(level));
  return { projectId: id };
}

/** Throws unless the viewer manages hooks of this project, or system hooks if it is null. */
export function checkHookOwner(project: ProjectFacts | null, ctx: Asking): void {
  const { viewer } = ctx;
  if (!viewer) throw unauthenticated();
  if (project) accessibleProject(project, ctx, (_viewer, level) => canManageHooks(level));
  else if (!canManageSystemHooks(viewer)) throw forbidden();
}

/** A hook of that owner; throws if it does not exist (v4-behaviour 1.3). */
export async function findHook({ projectId }: HookOwner, id: number, { db }: Pick<Context, 'db'>) {
  return orThrow(
    db.webHook.findFirst({
      where: { id, projectId },
      select: { id: true, projectId: true, url: true, tokenSealed: true, updatedAt: true },
    }),
    recordNotFound,
  );
}
