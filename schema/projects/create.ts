import type { Transaction } from '../../prisma/client.ts';
import { recordEvent } from '../activity/record.ts';
import { Access, narrower, type Visibility } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, invalid, refuseFaults } from '../kernel/errors.ts';
import { pathFromName, routeKey } from '../kernel/names.ts';
import { newToken } from '../kernel/private-token.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { endRedirect, fullPathFaults, isPathTaken } from '../namespaces/routes.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { projectFaults, visibilityFaults } from './faults.ts';
import {
  checkProjectLimit,
  findTargetNamespace,
  lockTargetNamespace,
  type ProjectOwner,
  type TargetNamespace,
} from './target.ts';

/** The columns of a project that its owner sets; omitted ones keep their defaults. */
export interface ProjectSettings {
  readonly description?: string | null;
  readonly tagList?: string[];
  readonly [column: string]: string | string[] | boolean | null | undefined;
}

export interface NewProject extends ProjectSettings {
  readonly name?: string;
  readonly path?: string;
  readonly visibility?: Visibility;
  /** The branch that `HEAD` names before the first push; defaults to `master`. */
  readonly defaultBranch?: string;
}

/** What the creation of a project needs. */
type CreationContext = Pick<Context, 'db' | 'git' | 'secrets' | 'settings' | 'storages' | 'viewer'>;

/** The source of a new project's repository, if it does not start empty. */
export interface ProjectOrigin {
  /** The project columns that record the source. */
  readonly columns: {
    readonly importStatus: 'scheduled' | 'started';
    readonly forkedFromId?: number;
    readonly importSourceSealed?: string;
  };
  /**
   * The preferred storage, if new projects may be stored there: repositories on the same disk can
   * be linked.
   */
  readonly storage?: string;
  /** Locks needed before the project is created. The order is namespaces, projects, routes. */
  readonly take?: (tx: Transaction) => Promise<unknown>;
  /** Runs in the same transaction once the project has its id: counts, and the job. */
  readonly follow: (tx: Transaction, id: number) => Promise<void>;
}

/**
 * Creates a project and its empty repository, both or neither, and returns the project's id.
 * Without `namespaceId` the project is created in `owner`'s personal namespace. Throws if `owner`
 * may not create there, if name or path are invalid or taken, if the visibility exceeds the group's
 * or is restricted, or if `owner` has reached the project limit (v4-behaviour 2.5).
 */
export async function createProject(
  project: NewProject,
  namespaceId: number | null,
  owner: ProjectOwner,
  ctx: CreationContext,
  origin?: ProjectOrigin,
): Promise<number> {
  const where = namespaceId === null ? { ownerId: owner.id } : { id: namespaceId };
  const namespace = await findTargetNamespace(where, owner, ctx);
  if (!namespace) throw invalid({ namespaceId: ['is not valid'] });
  return createProjectIn(namespace, project, owner, ctx, origin);
}

/** As `createProject`, in a namespace that `findTarget` returned for this owner. */
export async function createProjectIn(
  namespace: TargetNamespace,
  { name, path, visibility, ...settings }: NewProject,
  owner: ProjectOwner,
  ctx: CreationContext,
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
  // checked before anything is written, and again under the lock
  await refuseUnfit(ctx.db, project, namespace, owner, ctx);
  try {
    return await ctx.git.create(repository, async () => {
      const { defaultBranch } = settings;
      if (defaultBranch) await ctx.git.setHead(repository, `refs/heads/${defaultBranch}`);
      return transact(ctx.db, async (tx) => {
        const locked = await lockTargetNamespace(tx, namespace);
        await origin?.take?.(tx);
        await refuseUnfit(tx, project, locked, owner, ctx);
        const id = await insertProject(tx, { row, columns: origin?.columns }, locked, owner, ctx);
        await origin?.follow(tx, id);
        return id;
      });
    });
  } catch (error) {
    if (isUniqueViolation(error)) {
      await refuseTaken(ctx.db, project, namespace);
      // the project with this name and path has been removed in between
      throw takenError({ name: true, path: true });
    }
    throw error;
  }
}

const takenError = (fields: { readonly name: boolean; readonly path: boolean }) =>
  new DomainError('INVALID', 'Invalid input', {
    fields: {
      ...(fields.name && { name: ['has already been taken'] }),
      ...(fields.path && { path: ['has already been taken'] }),
    },
    reason: 'taken',
  });

/** Throws if a project of the namespace has this name, or if the path is taken. */
async function refuseTaken(
  tx: Transaction,
  { name, path }: Pick<NamedProject, 'name' | 'path'>,
  namespace: Pick<TargetNamespace, 'id' | 'fullPath'>,
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
  if (fields.name || fields.path) throw takenError(fields);
}

interface NamedProject {
  readonly name: string;
  readonly path: string;
  readonly visibility: Visibility;
}

/**
 * Throws if the namespace cannot hold the project: limit reached, path taken, or visibility too
 * wide.
 */
async function refuseUnfit(
  tx: Transaction,
  { name, path, visibility }: NamedProject,
  namespace: TargetNamespace,
  owner: ProjectOwner,
  { settings, viewer }: Pick<Context, 'settings' | 'viewer'>,
): Promise<void> {
  if (namespace.kind === 'user') await checkProjectLimit(owner, tx);
  const fullPath = `${namespace.fullPath}/${path}`;
  const faults = {
    path: fullPathFaults(fullPath),
    ...visibilityFaults(visibility, namespace, viewer, settings.current),
  };
  refuseFaults(faults);
  await refuseTaken(tx, { name, path }, namespace);
}

interface NewRow {
  readonly row: ProjectSettings & NamedProject & RepositoryAddress;
  readonly columns: ProjectOrigin['columns'] | undefined;
}

async function insertProject(
  tx: Transaction,
  { row, columns }: NewRow,
  namespace: TargetNamespace,
  owner: ProjectOwner,
  { secrets }: Pick<Context, 'secrets'>,
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

/** The default visibility, lowered to what the group allows. */
function defaultVisibility(
  namespace: TargetNamespace,
  { settings }: Pick<Context, 'settings'>,
): Visibility {
  const visibility = settings.current.defaultProjectVisibility;
  return namespace.kind === 'group' ? narrower(visibility, namespace.visibility) : visibility;
}

/** A storage that the settings allow and the server has: the preferred one, or one with space. */
function pickStorage(
  { settings, storages }: Pick<Context, 'settings' | 'storages'>,
  preferred?: string,
): string {
  const enabled = settings.current.repositoryStorages.filter((name) =>
    storages.names.includes(name),
  );
  const candidates = enabled.length > 0 ? enabled : storages.names;
  if (preferred !== undefined && candidates.includes(preferred)) return preferred;
  return storages.choose(candidates);
}
