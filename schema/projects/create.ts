import type { Transaction } from '../../prisma/client.ts';
import { recordEvent } from '../activity/record.ts';
import { Access, isWider, type Visibility } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, invalid, refuseFaults } from '../kernel/errors.ts';
import { pathFromName, routeKey } from '../kernel/names.ts';
import { newToken } from '../kernel/private-token.ts';
import { endRedirect, fullPathFaults, isPathTaken } from '../kernel/routes.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { projectFaults, visibilityFaults } from './faults.ts';
import { checkLimit, findTarget, holdTarget, type ProjectOwner, type Target } from './target.ts';

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

/** Where the repository of a new project comes from, when it is not to begin empty. */
export interface ProjectOrigin {
  /** The columns that say so. */
  readonly columns: {
    readonly importStatus: 'scheduled';
    readonly forkedFromId?: number;
    readonly importSourceSealed?: string;
  };
  /** The storage to lie on, if new projects may: what is on the same disk can be linked. */
  readonly storage?: string;
  /** What the transaction takes before the project is made: projects come after namespaces, ahead of routes. */
  readonly take?: (tx: Transaction) => Promise<unknown>;
  /** What belongs to the same commit once the project has its id: counts, and the job. */
  readonly follow: (tx: Transaction, id: number) => Promise<void>;
}

/**
 * Makes a project and its repository, empty at first, both or neither, and gives the project's id.
 * No `namespaceId` means the personal namespace of `owner`. Refuses a namespace in which they may
 * not create, a taken or bad name or path, a visibility above the group's or restricted, and more
 * projects than their limit (v4-behaviour 2.5).
 */
export async function createProject(
  project: NewProject,
  namespaceId: number | null,
  owner: ProjectOwner,
  ctx: Context,
  origin?: ProjectOrigin,
): Promise<number> {
  const where = namespaceId === null ? { ownerId: owner.id } : { id: namespaceId };
  const namespace = await findTarget(where, owner, ctx);
  if (!namespace) throw invalid({ namespace: ['is not valid'] });
  return createProjectIn(namespace, project, owner, ctx, origin);
}

/** The same in a namespace that `findTarget` gave for this owner. */
export async function createProjectIn(
  namespace: Target,
  { name, path, visibility, ...settings }: NewProject,
  owner: ProjectOwner,
  ctx: Context,
  origin?: ProjectOrigin,
): Promise<number> {
  const project = {
    name: name ?? path ?? '',
    path: path ?? pathFromName(name ?? ''),
    visibility: visibility ?? defaultVisibility(namespace, ctx),
  };
  refuseFaults(projectFaults({ ...project, ...settings }));
  const repository = ctx.git.place(pickStorage(ctx, origin?.storage));
  const row = { ...settings, ...project, ...repository };
  // once before anything is written, and again under the lock that what was written rests on
  await refuseUnfit(ctx.db, project, namespace, owner, ctx);
  try {
    return await ctx.git.create(repository, async () => {
      const { defaultBranch } = settings;
      if (defaultBranch) await ctx.git.setHead(repository, `refs/heads/${defaultBranch}`);
      return transact(ctx.db, async (tx) => {
        const held = await holdTarget(tx, namespace);
        await origin?.take?.(tx);
        await refuseUnfit(tx, project, held, owner, ctx);
        const id = await insertProject(tx, { row, columns: origin?.columns }, held, owner, ctx);
        await origin?.follow(tx, id);
        return id;
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) {
      await refuseTaken(ctx.db, project, namespace);
      // the project that had taken them has been removed since
      throw taken({ name: true, path: true });
    }
    throw error;
  }
}

const taken = (fields: { readonly name: boolean; readonly path: boolean }) =>
  new DomainError('INVALID', 'Invalid input', {
    fields: {
      ...(fields.name && { name: ['has already been taken'] }),
      ...(fields.path && { path: ['has already been taken'] }),
    },
    reason: 'taken',
  });

/** Refuses a name that another project of the namespace has, and a path that is taken. */
async function refuseTaken(
  tx: Transaction,
  { name, path }: Pick<Wanted, 'name' | 'path'>,
  namespace: Pick<Target, 'id' | 'fullPath'>,
): Promise<void> {
  const isTakenPath = () => isPathTaken(tx, `${namespace.fullPath}/${path}`);
  const wasTaken = await isTakenPath();
  const sibling = await tx.project.findUnique({
    where: { namespaceId_name: { namespaceId: namespace.id, name } },
    select: { id: true },
  });
  // another request may have taken both between the two reads
  const hasPath = wasTaken || (sibling !== null && (await isTakenPath()));
  const fields = { name: sibling !== null, path: hasPath };
  if (fields.name || fields.path) throw taken(fields);
}

interface Wanted {
  readonly name: string;
  readonly path: string;
  readonly visibility: Visibility;
}

/** Refuses what does not fit into the namespace: one too many, a taken path, too wide a visibility. */
async function refuseUnfit(
  tx: Transaction,
  { name, path, visibility }: Wanted,
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
  await refuseTaken(tx, { name, path }, namespace);
}

interface NewRow {
  readonly row: ProjectSettings & Wanted & RepositoryAddress;
  readonly columns: ProjectOrigin['columns'] | undefined;
}

async function insertProject(
  tx: Transaction,
  { row, columns }: NewRow,
  namespace: Target,
  owner: ProjectOwner,
  { secrets }: Context,
): Promise<number> {
  const runnersToken = newToken();
  const fullPath = `${namespace.fullPath}/${row.path}`;
  await endRedirect(tx, fullPath);
  const { id } = await tx.project.create({
    data: {
      ...row,
      ...columns,
      fullPath,
      fullName: `${namespace.fullName} / ${row.name}`,
      namespaceName: namespace.name,
      namespaceId: namespace.id,
      creatorId: owner.id,
      runnersTokenDigest: secrets.digest(runnersToken),
      runnersTokenSealed: secrets.seal(runnersToken),
      route: { create: { key: routeKey(fullPath) } },
      statistics: { create: {} },
      board: { create: {} },
      ...(namespace.kind === 'user' &&
        namespace.ownerId !== null && {
          members: { create: { userId: namespace.ownerId, accessLevel: Access.master } },
        }),
    },
    select: { id: true },
  });
  await recordEvent(tx, {
    projectId: id,
    authorId: owner.id,
    action: 'created',
    target: 'project',
  });
  return id;
}

/** The default is lowered to what the group allows. */
function defaultVisibility(namespace: Target, { settings }: Context): Visibility {
  const wanted = settings.current.defaultProjectVisibility;
  return namespace.kind === 'group' && isWider(wanted, namespace.visibility)
    ? namespace.visibility
    : wanted;
}

/** One of the storages that the settings name and the server has: the preferred one, or by chance. */
function pickStorage({ settings, storages }: Context, preferred?: string): string {
  const enabled = settings.current.repositoryStorages.filter((name) => storages.includes(name));
  const candidates = enabled.length > 0 ? enabled : storages;
  if (preferred !== undefined && candidates.includes(preferred)) return preferred;
  return candidates[Math.floor(Math.random() * candidates.length)] as string;
}
