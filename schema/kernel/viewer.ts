import { Access, type Visibility } from './access.ts';

/** The signed-in user. Loaded once per token and cached until the database notifies of a change. */
export interface Viewer {
  readonly id: number;
  readonly username: string;
  /** Their personal namespace. */
  readonly namespaceId: number | null;
  readonly isAdmin: boolean;
  /** External people see internal things as if they were private. */
  readonly isExternal: boolean;
  readonly canCreateGroup: boolean;
  /** Group id → level, for each group this person is a direct member of. */
  readonly groupLevels: ReadonlyMap<number, Access>;
  /** Those groups and everything below them; null when they are too many to carry along. */
  readonly reachableIds: readonly number[] | null;
  /** Those groups and everything above them: what lies on the way may be seen. */
  readonly groupPathIds: readonly number[];
  /**
   * Projects reached otherwise: as a direct member, or because they are shared with one of those
   * groups; null when they are too many to carry along.
   */
  readonly projectIds: readonly number[] | null;
  /** Every group they know of: all these, what lies above them, and where those projects are. */
  readonly knownGroupIds: readonly number[] | null;
  /** When a membership or share behind all this runs out; null when none does. */
  readonly validUntil: Date | null;
}

/** The visibilities that need no membership from this viewer. */
export const openTo = (viewer: Viewer | null): readonly Visibility[] =>
  viewer && !viewer.isExternal ? ['internal', 'public'] : ['public'];

/** The highest level `viewer` holds in any of these groups: pass a namespace's `ancestorIds`. */
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
