import type { Prisma, Transaction } from '../../prisma/client.ts';
import { Access, isWider, narrower, type Visibility } from '../kernel/access.ts';
import { type AvatarInput, refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';
import {
  type FieldErrors,
  forbidden,
  invalid,
  notFound,
  refuseFaults,
  unauthenticated,
} from '../kernel/errors.ts';
import { nameFaults, pathFaults, routeKey } from '../kernel/names.ts';
import { isUniqueViolation, transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { shareLockNamespaces } from '../namespaces/lock.ts';
import { endRedirect, fullPathFaults, nextNamespaceId } from '../namespaces/routes.ts';
import { takenFaults } from '../namespaces/taken.ts';
import type { ApplicationSettings } from '../ports/settings.ts';
import { findGroup } from './find.ts';
import { canCreateGroup, canCreateSubgroup } from './policy.ts';

export interface GroupSettings {
  readonly name?: string;
  readonly path?: string;
  readonly description?: string;
  readonly visibility?: Visibility;
  readonly lfsEnabled?: boolean;
  readonly requestAccessEnabled?: boolean;
  readonly avatar?: AvatarInput;
}

type ParentGroup = Pick<
  Prisma.NamespaceGetPayload<object>,
  'id' | 'ancestorIds' | 'visibility' | 'fullName' | 'fullPath'
>;

/**
 * Creates a group, or a subgroup of `parentId`, with the viewer as owner; returns its id. Throws if
 * the viewer may not create groups or does not own the parent, if name or path are invalid or
 * taken, or if the visibility exceeds the parent's (v4-behaviour 2.4). `follow` runs in the same
 * transaction once the group has its id.
 */
export async function createGroup(
  { avatar, ...settings }: GroupSettings & { readonly name: string; readonly path: string },
  parentId: number | null,
  ctx: Pick<Context, 'db' | 'settings' | 'uploads' | 'viewer' | 'viewers'>,
  follow: (tx: Transaction, id: number) => Promise<unknown> = async () => {},
): Promise<number> {
  const { viewer, db } = ctx;
  if (!viewer) throw unauthenticated();
  const parent =
    parentId === null ? null : await findGroup(String(parentId), ctx, canCreateSubgroup);
  if (!parent && !canCreateGroup(viewer)) throw forbidden();
  await refuseBadAvatar(avatar, ctx);
  const visibility = settings.visibility ?? defaultVisibility(parent, ctx.settings.current);
  const faults = groupFaults({ ...settings, visibility }, parent, viewer, ctx.settings.current);
  refuseFaults(faults);
  try {
    const id = await transact(db, async (tx) => {
      const above = parent && (await lockParent(tx, parent));
      const fullPath = above ? `${above.fullPath}/${settings.path}` : settings.path;
      const unfit = {
        ...groupFaults({ visibility }, above, viewer, ctx.settings.current),
        ...(await takenFaults(tx, { parentId, name: settings.name, fullPath })),
      };
      refuseFaults(unfit);
      refuseFaults({ path: fullPathFaults(fullPath) });
      await endRedirect(tx, fullPath);
      const namespaceId = await nextNamespaceId(tx);
      await tx.namespace.create({
        data: {
          ...settings,
          id: namespaceId,
          kind: 'group',
          visibility,
          fullPath,
          fullName: above ? `${above.fullName} / ${settings.name}` : settings.name,
          parentId,
          ancestorIds: [...(above?.ancestorIds ?? []), namespaceId],
          route: { create: { key: routeKey(fullPath) } },
          members: { create: { userId: viewer.id, accessLevel: Access.owner } },
        },
        select: { id: true },
      });
      await follow(tx, namespaceId);
      return namespaceId;
    });
    // all members of the parent are members of the subgroup
    if (parent) ctx.viewers.forgetAll();
    else ctx.viewers.forget(viewer.id);
    await replaceAvatar({ kind: 'group', id }, avatar, ctx);
    return id;
  } catch (error) {
    if (isUniqueViolation(error)) {
      const fullPath = parent ? `${parent.fullPath}/${settings.path}` : settings.path;
      throw takenError(await takenFaults(db, { parentId, name: settings.name, fullPath }));
    }
    throw error;
  }
}

/** The error if another request took the name or path concurrently. */
export const takenError = (faults: FieldErrors) =>
  invalid(Object.keys(faults).length > 0 ? faults : { path: ['has already been taken'] });

/** Locks the parent until the subgroup is created. */
async function lockParent(tx: Transaction, { id }: ParentGroup): Promise<ParentGroup> {
  await shareLockNamespaces(tx, [id]);
  const parent = await tx.namespace.findFirst({ where: { id, isRemoved: false } });
  if (!parent) throw notFound('Group');
  return parent;
}

const longestDescription = 255;

/** Messages per field of a group; `parent` limits its visibility. */
export function groupFaults(
  { name, path, description = '', visibility }: GroupSettings,
  parent: Pick<ParentGroup, 'visibility'> | null,
  viewer: Viewer,
  settings: ApplicationSettings,
): FieldErrors {
  return {
    ...(name !== undefined && { name: nameFaults(name) }),
    ...(path !== undefined && { path: pathFaults(path, parent ? 'subgroup' : 'group') }),
    ...(description.length > longestDescription && {
      description: [`is too long (maximum is ${longestDescription} characters)`],
    }),
    ...(visibility && {
      visibility: visibilityFaults(visibility, parent, viewer, settings),
    }),
  };
}

function visibilityFaults(
  visibility: Visibility,
  parent: Pick<ParentGroup, 'visibility'> | null,
  viewer: Viewer,
  settings: ApplicationSettings,
): readonly string[] {
  if (!viewer.isAdmin && settings.restrictedVisibilityLevels.includes(visibility)) {
    return [`${visibility} has been restricted by your administrator`];
  }
  return parent && isWider(visibility, parent.visibility)
    ? [`${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`]
    : [];
}

function defaultVisibility(
  parent: ParentGroup | null,
  { defaultGroupVisibility }: ApplicationSettings,
): Visibility {
  return parent ? narrower(defaultGroupVisibility, parent.visibility) : defaultGroupVisibility;
}
