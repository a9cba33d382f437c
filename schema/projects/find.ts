import { Prisma } from '../../prisma/client.ts';
import { reached } from '../groups/reach.ts';
import { Access } from '../kernel/access.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { anyOf, isOpenTo } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { groupLevel } from '../kernel/viewer.ts';
import { findRecord } from '../listing/records.ts';
import { unexpired, validMembership } from '../members/valid.ts';
import { canPushCode, canReadProject } from './policy.ts';

/**
 * The projects visible to a viewer, as an SQL condition, so that no listing is filtered in memory.
 */
export function visibleProjects(viewer: Viewer | null): Prisma.Sql {
  if (viewer?.isAdmin) return Prisma.sql`true`;
  const open = isOpenTo(viewer);
  if (!viewer) return open;
  const { jobProjectId } = viewer;
  const own = jobProjectId === undefined ? [] : [Prisma.sql`id = ${jobProjectId}`];
  return anyOf([open, memberProjects(viewer), ...own]);
}

/**
 * The projects that a viewer is a member of: directly, as the owner, through a group, or by a
 * share.
 */
export const memberProjects = (viewer: Viewer): Prisma.Sql =>
  anyOf([
    Prisma.sql`namespace_id = ${viewer.namespaceId}`,
    Prisma.sql`namespace_id IN (${reached.groups(viewer)})`,
    Prisma.sql`id IN (${reached.projects(viewer)})`,
  ]);

/** A project by id or full path, unless it is removed. */
export const projectWhere = (ref: string) => ({ ...byIdOrPath(ref), isRemoved: false }) as const;

/** As `projectWhere`, in SQL. */
export function projectCondition(ref: string): Prisma.Sql {
  const where = byIdOrPath(ref);
  const id =
    'id' in where
      ? Prisma.sql`${where.id}::int`
      : Prisma.sql`(SELECT project_id FROM routes WHERE key = ${where.route.key})`;
  return Prisma.sql`id = ${id} AND NOT is_removed`;
}

/** As `visibleProjects`, for one project already loaded. */
export const isProjectVisible = (viewer: Viewer | null, project: ProjectWithLevel): boolean =>
  canReadProject(viewer, levelInProject(viewer, project), project);

/** The selection needed to compute a viewer's level in a project. */
export const levelSelection = (viewer: Pick<Viewer, 'id'> | null) =>
  ({
    id: true,
    visibility: true,
    isArchived: true,
    namespace: { select: { ancestorIds: true, ownerId: true } },
    members: { where: validMembership(viewer?.id ?? 0), select: { accessLevel: true } },
    groupLinks: {
      where: unexpired(),
      select: {
        id: true,
        accessLevel: true,
        expiresAt: true,
        namespace: {
          select: { id: true, name: true, visibility: true, isRemoved: true, ancestorIds: true },
        },
      },
      orderBy: { id: 'asc' },
    },
  }) as const;

/** The columns of `levelSelection`. */
export type ProjectWithLevel = Prisma.ProjectGetPayload<{
  select: ReturnType<typeof levelSelection>;
}>;

/** A project share, with the group fields needed for access checks. */
export type GroupLink = ProjectWithLevel['groupLinks'][number];

/** The viewer fields needed for access checks. */
type LevelHolder = Pick<Viewer, 'id' | 'isAdmin' | 'groupLevels' | 'jobProjectId'>;

/**
 * The viewer's level in a project: the highest of the direct membership, the groups above, and the
 * shares, each of which gives at most the viewer's level in the group it is shared with
 * (v4-behaviour 1.10).
 */
export function levelInProject(viewer: LevelHolder | null, project: ProjectWithLevel): Access {
  if (!viewer) return Access.none;
  if (viewer.isAdmin || project.namespace.ownerId === viewer.id) return Access.owner;
  const own = (project.members[0]?.accessLevel ?? Access.none) as Access;
  const inherited = groupLevel(viewer, project.namespace.ancestorIds);
  const shared = project.groupLinks.map(({ accessLevel, namespace }) =>
    namespace.isRemoved
      ? Access.none
      : Math.min(accessLevel, groupLevel(viewer, namespace.ancestorIds)),
  );
  const ofJob = viewer.jobProjectId === project.id ? Access.reporter : Access.none;
  return Math.max(own, inherited, ofJob, ...shared) as Access;
}

type Caller = Pick<Context, 'db' | 'viewer'>;

/** What operations need to know of a project. */
const factsFor = (viewer: Viewer | null) =>
  ({
    ...levelSelection(viewer),
    id: true,
    isRemoved: true,
    namespaceId: true,
    updatedAt: true,
    name: true,
    path: true,
    fullPath: true,
    defaultBranch: true,
    storage: true,
    diskPath: true,
    importStatus: true,
    requestAccessEnabled: true,
    issuesEnabled: true,
    wikiEnabled: true,
    snippetsEnabled: true,
    mergeRequestsEnabled: true,
    sharedRunnersEnabled: true,
    onlyAllowMergeIfPipelineSucceeds: true,
    onlyAllowMergeIfAllDiscussionsAreResolved: true,
    jobsEnabled: true,
    publicJobs: true,
  }) as const;

export type ProjectFacts = Prisma.ProjectGetPayload<{ select: ReturnType<typeof factsFor> }>;

/** What a user needs to be allowed in a project that the user sees. */
export type ProjectRule = (viewer: Viewer | null, level: Access, project: ProjectFacts) => boolean;

/** Selects the project of a record, for `accessibleProject`. */
export const projectOfRecord = ({ viewer }: Pick<Context, 'viewer'>) =>
  ({ select: factsFor(viewer) }) as const;

/** A project already loaded, with the viewer's `level`; throws as `findProject` does. */
export function accessibleProject(
  project: ProjectFacts | null,
  { viewer }: Pick<Context, 'viewer'>,
  rule: ProjectRule = () => true,
) {
  if (!project || project.isRemoved || !isProjectVisible(viewer, project)) {
    throw notFound('Project');
  }
  const level = levelInProject(viewer, project);
  if (!rule(viewer, level, project)) throw viewer ? forbidden() : unauthenticated();
  return { ...project, level };
}

/**
 * The project `ref` (an id or a full path) if the viewer may see it and `rule` holds. Throws
 * `notFound` if the viewer may not see it, and `forbidden` if only `rule` fails.
 */
export async function findProject(ref: string, ctx: Caller, rule?: ProjectRule) {
  const project = await findRecord(ctx, {
    model: 'project',
    query: { select: factsFor(ctx.viewer) },
    condition: projectCondition(ref),
  });
  return accessibleProject(project, ctx, rule);
}

const factsOf = batched<number, ProjectFacts | null, Caller>(async (ids, { db, viewer }) => {
  const projects = await db.project.findMany({
    relationLoadStrategy: 'join',
    where: { id: { in: [...ids] }, isRemoved: false },
    select: factsFor(viewer),
  });
  return new Map(projects.map((project) => [project.id, project]));
}, null);

/** As `findProject`, for edges: the projects of all rows of an operation are read together. */
export const projectById = async (id: number, ctx: Caller, rule?: ProjectRule) =>
  accessibleProject(await factsOf(id, ctx), ctx, rule);

/** As `findProject`, for users who may push to it. */
export const findWritableProject = (ref: string, ctx: Caller) =>
  findProject(ref, ctx, (_viewer, level, project) => canPushCode(level, project));
