import type { Prisma } from '../../prisma/client.ts';
import { accessibleGroup, findGroup } from '../groups/find.ts';
import type { Access, Visibility } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { MemberSource } from '../members/members.ts';
import { canManageMembers } from '../members/policy.ts';
import { accessibleProject, findProject, type ProjectFacts, projectOfRecord } from './find.ts';

export const GroupOrProjectInput = builder.inputType('GroupOrProject', {
  description: 'Identifies a group or a project.',
  isOneOf: true,
  fields: (t) => ({
    group: t.id({ description: 'The group.' }),
    project: t.id({ description: 'The project.' }),
  }),
});

/** The arguments of an operation on a group or project. */
export const sourceArgs = builder.args((t) => ({
  source: t.field({
    type: GroupOrProjectInput,
    required: true,
    description: 'The group or project.',
  }),
}));

export type GroupOrProjectRef = typeof GroupOrProjectInput.$inferInput;

/**
 * A group or project that was looked up; its resources have its id in `namespaceId` or `projectId`.
 */
export interface GroupOrProject extends MemberSource {
  /** The group and its ancestors; for a project, the groups that contain it. */
  readonly ancestorIds: readonly number[];
  /** The viewer's level in it. */
  readonly level: Access;
  readonly visibility: Visibility;
  readonly requestAccessEnabled: boolean;
}

type Rule = (level: Access, kind: GroupOrProject['kind']) => boolean;

/**
 * The group or project if the viewer may see it and `rule` holds for the viewer's level; throws
 * otherwise.
 */
export async function findGroupOrProject(
  { group, project }: GroupOrProjectRef,
  ctx: Pick<Context, 'db' | 'viewer'>,
  rule: Rule = () => true,
): Promise<GroupOrProject> {
  if (group) {
    return fromGroup(await findGroup(group, ctx, (level) => rule(level, 'group')));
  }
  return fromProject(
    await findProject(project ?? '', ctx, (_viewer, level) => rule(level, 'project')),
  );
}

type Group = Awaited<ReturnType<typeof accessibleGroup>>;
type Project = ReturnType<typeof accessibleProject>;

function fromGroup(group: Group): GroupOrProject {
  const { id, ancestorIds, level, visibility, requestAccessEnabled } = group;
  const traits = { ancestorIds, level, visibility, requestAccessEnabled };
  return { kind: 'group', id, ownerId: null, ...traits };
}

function fromProject(project: Project): GroupOrProject {
  const { id, namespace, level, visibility, requestAccessEnabled } = project;
  return { kind: 'project', id, ...namespace, level, visibility, requestAccessEnabled };
}

/** Selects the group or project of a record, for `readableSourceOf`. */
export const sourceOfRecord = (ctx: Pick<Context, 'viewer'>) =>
  ({ project: projectOfRecord(ctx), namespace: true }) as const;

interface InGroupOrProject {
  readonly project: ProjectFacts | null;
  readonly namespace: Prisma.NamespaceGetPayload<object> | null;
}

/** As `findReadableSource`, for the group or project of a record. */
export async function readableSourceOf(
  { project, namespace }: InGroupOrProject,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<GroupOrProject> {
  signedIn(ctx);
  return project
    ? fromProject(accessibleProject(project, ctx))
    : fromGroup(await accessibleGroup(namespace, ctx));
}

/** The group or project of a record as an argument of the core. */
export const sourceRef = ({ project, namespace }: InGroupOrProject): GroupOrProjectRef =>
  project ? { project: String(project.id) } : { group: String(namespace?.id) };

/** The group or project for a signed-in user; anonymous users get 401 (v4-behaviour 1.4). */
export async function findReadableSource(
  ref: GroupOrProjectRef,
  ctx: Pick<Context, 'db' | 'viewer'>,
) {
  const viewer = signedIn(ctx);
  return { source: await findGroupOrProject(ref, ctx), viewer };
}

/** The group or project whose members the viewer may manage. */
export const findWithManagedMembers = (
  ref: GroupOrProjectRef,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<GroupOrProject> =>
  findGroupOrProject(ref, ctx, (level, kind) => canManageMembers(kind, level));
