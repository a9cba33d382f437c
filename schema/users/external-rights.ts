import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';

/** The columns of a user that depend on whether the user is external. */
export interface UserRights {
  readonly isExternal: boolean;
  readonly canCreateGroup: boolean;
  readonly projectsLimit: number;
}

/** External users create neither groups nor personal projects (GitLab 10.1, `ensure_user_rights_and_limits`). */
export const rightsOfExternal = { canCreateGroup: false, projectsLimit: 0 } as const;

/**
 * The rights that a change of `isExternal` brings: a user who becomes external loses them, and one who is
 * external no longer has the usual ones again, unless the change names others.
 */
export function rightsChange(
  before: UserRights,
  { isExternal, canCreateGroup, projectsLimit }: Partial<UserRights>,
  { current }: Context['settings'],
): Partial<UserRights> {
  if (isExternal === undefined || isExternal === before.isExternal) return {};
  if (isExternal) return rightsOfExternal;
  // forms send the stored values back
  const keepsGroups = (canCreateGroup ?? before.canCreateGroup) === before.canCreateGroup;
  const keepsLimit = (projectsLimit ?? before.projectsLimit) === before.projectsLimit;
  return {
    ...(keepsGroups && { canCreateGroup: true }),
    ...(keepsLimit && { projectsLimit: current.defaultProjectsLimit }),
  };
}

/** Locks a user's row until the transaction ends, and reads the rights. */
export const lockRights = async (tx: Transaction, id: number): Promise<UserRights | null> => {
  const [rights] = await tx.$queryRaw<UserRights[]>`
    SELECT is_external AS "isExternal", can_create_group AS "canCreateGroup",
      projects_limit AS "projectsLimit"
    FROM users WHERE id = ${id} FOR NO KEY UPDATE`;
  return rights ?? null;
};
