import { findGroup } from '../groups/find.ts';
import type { Access, Visibility } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import type { MemberSource } from '../members/members.ts';
import { canManageMembers } from '../members/policy.ts';
import { findProject } from './find.ts';

/** A group or a project, by id or full path: what belongs to either is written once. */
export const GroupOrProjectInput = builder.inputType('GroupOrProject', {
  isOneOf: true,
  fields: (t) => ({ group: t.id(), project: t.id() }),
});

export type GroupOrProjectRef = typeof GroupOrProjectInput.$inferInput;

/** One that was found: what hangs on it has its id in `namespaceId` or in `projectId`. */
export interface GroupOrProject extends MemberSource {
  /** The group and all above it; of a project, those it lies in. */
  readonly ancestorIds: readonly number[];
  /** The viewer's level in it. */
  readonly level: Access;
  readonly visibility: Visibility;
  readonly requestAccessEnabled: boolean;
}

type Rule = (kind: GroupOrProject['kind'], level: Access) => boolean;

/** The group or project if the viewer may see it and `rule` holds for their level, or a refusal. */
export async function findGroupOrProject(
  { group, project }: GroupOrProjectRef,
  ctx: Pick<Context, 'db' | 'viewer'>,
  rule: Rule = () => true,
): Promise<GroupOrProject> {
  if (group) {
    const found = await findGroup(group, ctx, (level) => rule('group', level));
    const { id, ancestorIds, level, visibility, requestAccessEnabled } = found;
    const traits = { ancestorIds, level, visibility, requestAccessEnabled };
    return { kind: 'group', id, ownerId: null, ...traits };
  }
  const found = await findProject(project ?? '', ctx, (_viewer, level) => rule('project', level));
  const { id, namespace, level, visibility, requestAccessEnabled } = found;
  return { kind: 'project', id, ...namespace, level, visibility, requestAccessEnabled };
}

/** The one whose members the viewer manages. */
export const findManaged = (
  asked: GroupOrProjectRef,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<GroupOrProject> => findGroupOrProject(asked, ctx, canManageMembers);
