import type { Transaction } from '../../prisma/client.ts';
import { canCreateProjectIn } from '../groups/policy.ts';
import { Access, groupLevel, isWider, type Visibility } from '../kernel/access.ts';
import type { Context, Viewer } from '../kernel/context.ts';
import { DomainError, invalid, refuseFaults } from '../kernel/errors.ts';
import { pathFromName, routeKey } from '../kernel/names.ts';
import { newToken } from '../kernel/private-token.ts';
import { fullPathFaults, holdNamespaces, isPathTaken, takeNamespace } from '../kernel/routes.ts';
import { isTaken, transact } from '../kernel/storage-errors.ts';
import type { RepositoryAddress } from '../ports/git.ts';
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
  /** What `HEAD` names before the first push; `master` when left out. */
  readonly defaultBranch?: string;
}

/** In whose name a project is made. */
export type ProjectOwner = Pick<Viewer, 'id' | 'isAdmin' | 'groupLevels'>;

interface Target {
  readonly id: number;
  readonly kind: 'user' | 'group';
  readonly ownerId: number | null;
  readonly ancestorIds: readonly number[];
  readonly visibility: Visibility;
  readonly name: string;
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
  owner: ProjectOwner,
  ctx: Context,
): Promise<number> {
  const namespace = await findTarget(namespaceId, owner, ctx);
  const project = {
    name: name ?? path ?? '',
    path: path ?? pathFromName(name ?? ''),
    visibility: visibility ?? defaultVisibility(namespace, ctx),
  };
  refuseFaults(projectFaults({ ...project, ...settings }));
  const repository = ctx.git.place(pickStorage(ctx));
  const row = { ...settings, ...project, ...repository };
  // once before anything is written, and again under the lock that what was written rests on
  await refuseUnfit(ctx.db, project, namespace, owner, ctx);
  try {
    return await ctx.git.create(repository, async () => {
      const { defaultBranch } = settings;
      if (defaultBranch) await ctx.git.setHead(repository, `refs/heads/${defaultBranch}`);
      return transact(ctx.db, async (tx) => {
        const held = await holdTarget(tx, namespace);
        await refuseUnfit(tx, project, held, owner, ctx);
        return insertProject(tx, row, held, owner, ctx);
      });
    });
  } catch (error) {
    if (isTaken(error)) throw invalid(taken);
    throw error;
  }
}

const taken = { name: ['has already been taken'], path: ['has already been taken'] };

/** The namespace as nobody can change it until the project is there; a personal one is taken whole, for its limit. */
async function holdTarget(tx: Transaction, { id, kind, ancestorIds }: Target): Promise<Target> {
  if (kind === 'user') await takeNamespace(tx, { id, ancestorIds });
  else await holdNamespaces(tx, ancestorIds);
  const namespace = await tx.namespace.findFirst({ where: { id, isRemoved: false } });
  if (!namespace) throw invalid({ namespace: ['is not valid'] });
  return namespace;
}

interface Wanted {
  readonly name: string;
  readonly path: string;
  readonly visibility: Visibility;
}

/** Refuses what does not fit into the namespace: one too many, a taken path, too wide a visibility. */
async function refuseUnfit(
  tx: Transaction,
  { path, visibility }: Wanted,
  namespace: Target,
  owner: ProjectOwner,
  { settings, viewer }: Context,
): Promise<void> {
  if (namespace.kind === 'user') await checkLimit(owner, tx);
  const fullPath = `${namespace.fullPath}/${path}`;
  const faults = {
    path: fullPathFaults(fullPath),
    ...visibilityFaults(visibility, namespace, viewer, settings.current),
  };
  refuseFaults(faults);
  if (await isPathTaken(tx, fullPath)) throw invalid(taken);
}

async function insertProject(
  tx: Transaction,
  row: ProjectSettings & Wanted & RepositoryAddress,
  namespace: Target,
  owner: ProjectOwner,
  { secrets }: Context,
): Promise<number> {
  const runnersToken = newToken();
  const fullPath = `${namespace.fullPath}/${row.path}`;
  const { id } = await tx.project.create({
    data: {
      ...row,
      fullPath,
      fullName: `${namespace.fullName} / ${row.name}`,
      namespaceName: namespace.name,
      namespaceId: namespace.id,
      creatorId: owner.id,
      runnersTokenDigest: secrets.digest(runnersToken),
      runnersTokenSealed: secrets.seal(runnersToken),
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
}

async function findTarget(
  id: number | null,
  owner: ProjectOwner,
  { db }: Context,
): Promise<Target> {
  const namespace = await db.namespace.findFirst({
    where: { isRemoved: false, ...(id === null ? { ownerId: owner.id } : { id }) },
  });
  const mayCreate =
    namespace &&
    (owner.isAdmin ||
      namespace.ownerId === owner.id ||
      (namespace.kind === 'group' && canCreateProjectIn(groupLevel(owner, namespace.ancestorIds))));
  if (!mayCreate) throw invalid({ namespace: ['is not valid'] });
  return namespace;
}

async function checkLimit(owner: ProjectOwner, db: Transaction): Promise<void> {
  const { projectsLimit } = await db.user.findUniqueOrThrow({
    where: { id: owner.id },
    select: { projectsLimit: true },
  });
  const count = await db.project.count({
    where: { namespace: { ownerId: owner.id }, isRemoved: false },
  });
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
