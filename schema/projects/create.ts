import { canCreateProjectIn } from '../groups/policy.ts';
import { Access, groupLevel, isWider, type Visibility } from '../kernel/access.ts';
import type { Context, Viewer } from '../kernel/context.ts';
import { DomainError, invalid } from '../kernel/errors.ts';
import { pathFromName, routeKey } from '../kernel/names.ts';
import { newToken } from '../kernel/private-token.ts';
import { isPathTaken } from '../kernel/routes.ts';
import { isTaken } from '../kernel/storage-errors.ts';
import { projectFaults, visibilityFaults } from './faults.ts';

/** Columns of a project that its owner decides, as given; what is left out keeps its default. */
export interface ProjectSettings {
  readonly description?: string | null;
  readonly tagList?: string[];
  readonly [column: string]: string | string[] | boolean | null | undefined;
}

export interface NewProject extends ProjectSettings {
  readonly name?: string;
  readonly path?: string;
  readonly visibility?: Visibility;
}

interface Target {
  readonly id: number;
  readonly kind: 'user' | 'group';
  readonly ownerId: number | null;
  readonly ancestorIds: readonly number[];
  readonly visibility: Visibility;
  readonly fullName: string;
  readonly fullPath: string;
}

/**
 * Makes a project and its empty repository, both or neither, and gives the project's id.
 * No `namespaceId` means the personal namespace of `owner`. Refuses a namespace in which they may
 * not create, a taken or bad name or path, a visibility above the group's or restricted, and more
 * projects than their limit (v4-behaviour 2.5).
 */
export async function createProject(
  { name, path, visibility, ...settings }: NewProject,
  namespaceId: number | null,
  owner: Viewer,
  ctx: Context,
): Promise<number> {
  const namespace = await findTarget(namespaceId, owner, ctx);
  if (namespace.kind === 'user') await checkLimit(owner, ctx);
  const project = {
    name: name ?? path ?? '',
    path: path ?? pathFromName(name ?? ''),
    visibility: visibility ?? defaultVisibility(namespace, ctx),
  };
  const faults = {
    ...projectFaults({ ...project, ...settings }),
    ...visibilityFaults(project.visibility, namespace, owner, ctx.settings.current),
  };
  if (Object.keys(faults).length > 0) throw invalid(faults);
  const fullPath = `${namespace.fullPath}/${project.path}`;
  const taken = { name: ['has already been taken'], path: ['has already been taken'] };
  if (await isPathTaken(ctx.db, fullPath)) throw invalid(taken);
  const repository = ctx.git.place(pickStorage(ctx));
  const runnersToken = newToken();
  try {
    return await ctx.git.create(repository, async () => {
      const { id } = await ctx.db.project.create({
        data: {
          ...settings,
          ...project,
          ...repository,
          fullPath,
          fullName: `${namespace.fullName} / ${project.name}`,
          namespaceId: namespace.id,
          creatorId: owner.id,
          runnersTokenDigest: ctx.secrets.digest(runnersToken),
          runnersTokenSealed: ctx.secrets.seal(runnersToken),
          route: { create: { key: routeKey(fullPath) } },
          statistics: { create: {} },
          ...(namespace.kind === 'user' &&
            namespace.ownerId !== null && {
              members: { create: { userId: namespace.ownerId, accessLevel: Access.master } },
            }),
        },
        select: { id: true },
      });
      return id;
    });
  } catch (error) {
    if (isTaken(error)) throw invalid(taken);
    throw error;
  }
}

async function findTarget(id: number | null, owner: Viewer, { db }: Context): Promise<Target> {
  const namespace = await db.namespace.findFirst({
    where: id === null ? { ownerId: owner.id } : { id },
  });
  const mayCreate =
    namespace &&
    (owner.isAdmin ||
      namespace.ownerId === owner.id ||
      (namespace.kind === 'group' && canCreateProjectIn(groupLevel(owner, namespace.ancestorIds))));
  if (!mayCreate) throw invalid({ namespace: ['is not valid'] });
  return namespace;
}

async function checkLimit(owner: Viewer, { db }: Context): Promise<void> {
  const { projectsLimit } = await db.user.findUniqueOrThrow({
    where: { id: owner.id },
    select: { projectsLimit: true },
  });
  const count = await db.project.count({ where: { namespace: { ownerId: owner.id } } });
  if (count < projectsLimit) return;
  const text =
    projectsLimit === 0
      ? 'Personal project creation is not allowed. Please contact your administrator with questions'
      : `Your project limit is ${projectsLimit} projects! Please contact your administrator to increase it`;
  throw new DomainError('FORBIDDEN', text, { reason: 'project-limit' });
}

/** The default is lowered to what the group allows. */
function defaultVisibility(namespace: Target, { settings }: Context): Visibility {
  const wanted = settings.current.defaultProjectVisibility;
  return namespace.kind === 'group' && isWider(wanted, namespace.visibility)
    ? namespace.visibility
    : wanted;
}

/** One of the storages that the settings name and the server has, by chance. */
function pickStorage({ settings, storages }: Context): string {
  const enabled = settings.current.repositoryStorages.filter((name) => storages.includes(name));
  const candidates = enabled.length > 0 ? enabled : storages;
  return candidates[Math.floor(Math.random() * candidates.length)] as string;
}
