import { Access, type Visibility } from './access.ts';

/** The signed-in user. Loaded once per token and cached until the database notifies of a change. */
export interface Viewer {
  readonly id: number;
  readonly username: string;
  readonly createdAt: Date;
  /** Their personal namespace. */
  readonly namespaceId: number | null;
  readonly isAdmin: boolean;
  /** External users see internal records as if they were private. */
  readonly isExternal: boolean;
  readonly canCreateGroup: boolean;
  /** Group id → level, for each group that the user is a direct member of. */
  readonly groupLevels: ReadonlyMap<number, Access>;
  /** Those groups and all their subgroups; null if there are too many to cache. */
  readonly reachableIds: readonly number[] | null;
  /** Those groups and all their ancestors, which the user may see. */
  readonly groupPathIds: readonly number[];
  /**
   * Projects reached otherwise: by direct membership, or shared with one of those groups; null if
   * there are too many to cache.
   */
  readonly projectIds: readonly number[] | null;
  /**
   * All groups the user may see: these groups, their ancestors and the groups of those projects.
   */
  readonly knownGroupIds: readonly number[] | null;
  /** When the first of these memberships or shares expires; null if none does. */
  readonly validUntil: Date | null;
  /** The caller is a CI job of this project. It always reads its own project, as a reporter. */
  readonly jobProjectId?: number;
}

/**
 * The rights of a CI job: those of the user who started it, without the rights of an administrator, and
 * reading its own project.
 */
export const viewerOfJob = (
  user: Viewer,
  { projectId }: { readonly projectId: number },
): Viewer => ({ ...user, isAdmin: false, jobProjectId: projectId });

/** The visibilities for which this viewer needs no membership. */
export const openTo = (viewer: Viewer | null): readonly Visibility[] =>
  viewer && !viewer.isExternal ? ['internal', 'public'] : ['public'];

/** The viewer's highest level in any of these groups: pass a namespace's `ancestorIds`. */
export function groupLevel(
  viewer: Pick<Viewer, 'groupLevels'>,
  ancestorIds: readonly number[],
): Access {
  let level: Access = Access.none;
  for (const id of ancestorIds) {
    const held = viewer.groupLevels.get(id) ?? Access.none;
    if (held > level) level = held;
  }
  return level;
}
