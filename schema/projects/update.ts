import type { Transaction } from '../../prisma/client.ts';
import type { Visibility } from '../kernel/access.ts';
import { type AvatarInput, refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, invalid, refuseFaults } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { shareLockNamespaces } from '../namespaces/lock.ts';
import type { NewProject } from './create.ts';
import { projectFaults, visibilityFaults } from './faults.ts';
import { findProject } from './find.ts';
import { reimportColumns, scheduleImport } from './import-source.ts';
import { type LockedProject, lockProject } from './lock.ts';
import { moveRoute } from './move.ts';
import { canAdministerProject, canEditProject } from './policy.ts';

/** Updates accept the same fields as creation. */
export interface ProjectChange extends NewProject {
  /** The URL to import from; the repository must be empty. */
  readonly importUrl?: string;
}

type EditedProject = Awaited<ReturnType<typeof findProject>>;

/**
 * Updates the given fields only (v4-behaviour 2.5); returns the project's id. Masters change
 * settings, owners also name and visibility. A new default branch must exist unless the repository
 * is empty. `HEAD` is changed through the ledger, so that it follows even after a crash.
 */
export async function updateProject(
  ref: string,
  { defaultBranch, importUrl, ...change }: ProjectChange,
  ctx: Context,
  avatar: AvatarInput,
): Promise<{ id: number; ledger: bigint | null }> {
  const project = await findProject(ref, ctx, (_viewer, level) => canEditProject(level));
  const needsOwner = change.name !== undefined || change.visibility !== undefined;
  if (needsOwner && !canAdministerProject(project.level)) throw forbidden();
  await refuseUnfit(
    project,
    { ...change, ...(defaultBranch !== undefined && { defaultBranch }) },
    ctx,
  );
  await refuseBadAvatar(avatar, ctx);
  const source = importUrl === undefined ? null : await reimportColumns(project, importUrl, ctx);
  const changed = await transact(ctx.db, async (tx) => {
    const { name, path, ...columns } = change;
    if (needsOwner || path !== undefined) await shareLockNamespaces(tx, [project.namespaceId]);
    const locked = await lockProject(tx, project.id);
    if (columns.visibility) await refuseWider(tx, project, columns.visibility, ctx);
    const isRenamed = name !== undefined || path !== undefined;
    const names = isRenamed ? await rename(tx, project, locked, { name, path }) : {};
    const branch = defaultBranch === undefined ? {} : { defaultBranch };
    await tx.project.update({
      where: { id: project.id },
      data: { ...columns, ...names, ...branch },
      select: { id: true },
    });
    const importer = { projectId: project.id, userId: signedIn(ctx).id };
    if (source) await scheduleImport(tx, importer, source, ctx);
    if (defaultBranch === undefined) return { id: project.id, ledger: null };
    const { id: ledger } = await tx.push.create({
      data: { projectId: project.id, userId: ctx.viewer?.id ?? null, changes: [] },
      select: { id: true },
    });
    return { id: project.id, ledger };
  }).catch(onUniqueViolation(() => invalid({ name: ['has already been taken'] })));
  await replaceAvatar({ kind: 'project', id: project.id }, avatar, ctx);
  return changed;
}

async function refuseUnfit(
  project: EditedProject,
  change: ProjectChange,
  { git }: Pick<Context, 'git'>,
): Promise<void> {
  const { defaultBranch } = change;
  refuseFaults(projectFaults(change));
  if (defaultBranch === undefined) return;
  const branches = await git.branches(project);
  if (branches.length > 0 && !branches.includes(`refs/heads/${defaultBranch}`)) {
    throw invalid({ defaultBranch: ['does not exist'] });
  }
}

/** Locks the group, so that its visibility cannot be lowered concurrently. */
async function refuseWider(
  tx: Transaction,
  project: EditedProject,
  visibility: Visibility,
  { viewer, settings }: Pick<Context, 'viewer' | 'settings'>,
): Promise<void> {
  if (visibility === project.visibility) return;
  const namespace = await tx.namespace.findUniqueOrThrow({ where: { id: project.namespaceId } });
  refuseFaults(visibilityFaults(visibility, namespace, viewer, settings.current));
}

/**
 * The columns for a new name or path; the old path becomes a redirect. Reads everything under the
 * locks, because the group above may be renamed concurrently.
 */
async function rename(
  tx: Transaction,
  { id, namespaceId }: EditedProject,
  project: LockedProject,
  given: { readonly name?: string | undefined; readonly path?: string | undefined },
) {
  const above = await tx.namespace.findUniqueOrThrow({
    where: { id: namespaceId },
    select: { fullName: true, fullPath: true },
  });
  const { name, path } = { name: given.name ?? project.name, path: given.path ?? project.path };
  const fullPath = `${above.fullPath}/${path}`;
  await moveRoute(tx, { id, fullPath: project.fullPath }, fullPath, {
    path: ['has already been taken'],
  });
  return { name, path, fullName: `${above.fullName} / ${name}`, fullPath };
}
