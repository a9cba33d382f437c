import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, invalid } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { isPathTaken } from '../kernel/routes.ts';
import { isTaken } from '../kernel/storage-errors.ts';
import type { NewProject } from './create.ts';
import { projectFaults, visibilityFaults } from './faults.ts';
import { findProject } from './find.ts';
import { canAdministerProject, canEditProject } from './policy.ts';

export interface ProjectChange extends NewProject {
  readonly defaultBranch?: string;
}

type Found = Awaited<ReturnType<typeof findProject>>;

/**
 * Changes what is given and nothing else (v4-behaviour 2.5); gives the project's id. Masters change
 * settings; name and visibility are for owners. A new default branch must exist unless the
 * repository is empty; `HEAD` follows through the ledger, so that a kill between leaves no difference.
 */
export async function updateProject(
  ref: string,
  { defaultBranch, ...change }: ProjectChange,
  ctx: Context,
): Promise<{ id: number; ledger: bigint | null }> {
  const project = await findProject(ref, ctx, (_viewer, level) => canEditProject(level));
  const needsOwner = change.name !== undefined || change.visibility !== undefined;
  if (needsOwner && !canAdministerProject(project.level)) throw forbidden();
  await check(project, { ...change, ...(defaultBranch !== undefined && { defaultBranch }) }, ctx);
  try {
    return await ctx.db.$transaction(async (tx) => {
      const { name, path, ...columns } = change;
      const names = await rename(tx, project, {
        name: name ?? project.name,
        path: path ?? project.path,
      });
      const branch = defaultBranch === undefined ? {} : { defaultBranch };
      await tx.project.update({
        where: { id: project.id },
        data: { ...columns, ...names, ...branch },
        select: { id: true },
      });
      if (defaultBranch === undefined) return { id: project.id, ledger: null };
      const { id: ledger } = await tx.push.create({
        data: { projectId: project.id, userId: ctx.viewer?.id ?? null, changes: [] },
        select: { id: true },
      });
      return { id: project.id, ledger };
    });
  } catch (error) {
    if (isTaken(error)) throw invalid({ name: ['has already been taken'] });
    throw error;
  }
}

async function check(project: Found, change: ProjectChange, ctx: Context): Promise<void> {
  const { defaultBranch, visibility } = change;
  const namespace = await ctx.db.namespace.findUniqueOrThrow({
    where: { id: project.namespaceId },
  });
  const faults = {
    ...projectFaults(change),
    ...(visibility &&
      visibility !== project.visibility &&
      ctx.viewer &&
      visibilityFaults(visibility, namespace, ctx.viewer, ctx.settings.current)),
  };
  if (Object.keys(faults).length > 0) throw invalid(faults);
  if (defaultBranch === undefined) return;
  const branches = await ctx.git.branches(project);
  if (branches.length > 0 && !branches.includes(`refs/heads/${defaultBranch}`)) {
    throw invalid({ default_branch: ['does not exist'] });
  }
}

/** The columns that follow a new name or path; the old path stays behind as a redirect. */
async function rename(
  tx: Transaction,
  project: Found,
  { name, path }: { name: string; path: string },
) {
  if (name === project.name && path === project.path) return {};
  const { fullName, fullPath } = await tx.namespace.findUniqueOrThrow({
    where: { id: project.namespaceId },
    select: { fullName: true, fullPath: true },
  });
  const moved = `${fullPath}/${path}`;
  const [from, to] = [routeKey(project.fullPath), routeKey(moved)];
  if (from !== to) {
    if (await isPathTaken(tx, moved)) throw invalid({ path: ['has already been taken'] });
    await tx.route.update({ where: { projectId: project.id }, data: { key: to } });
    await tx.formerPath.create({ data: { key: from, projectId: project.id } });
  }
  return { name, path, fullName: `${fullName} / ${name}`, fullPath: moved };
}
