import { isWider, type Visibility, visibilities } from '../kernel/access.ts';
import { copyAvatar } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { createProjectIn, type ProjectOrigin } from '../projects/create.ts';
import { findProject } from '../projects/find.ts';
import { changeForkCount } from '../projects/forks-count.ts';
import { lockProject } from '../projects/lock.ts';
import { canDownloadCode } from '../projects/policy.ts';
import {
  findTargetNamespace,
  type ProjectOwner,
  type TargetNamespace,
} from '../projects/target.ts';

export interface ForkInput {
  /** Id, full path or name of the namespace; defaults to the viewer's own. */
  readonly namespace?: string;
  /** Name and path default to the project's. */
  readonly name?: string;
  readonly path?: string;
}

/** The columns that a fork copies from its source. */
const copied = {
  name: true,
  path: true,
  description: true,
  defaultBranch: true,
  issuesEnabled: true,
  mergeRequestsEnabled: true,
  jobsEnabled: true,
  wikiEnabled: true,
  snippetsEnabled: true,
  containerRegistryEnabled: true,
  sharedRunnersEnabled: true,
  lfsEnabled: true,
  ciConfigPath: true,
} as const;

/**
 * Creates a project that a job fills with the contents of another one, and returns its id. Throws
 * if the viewer may not read the code, `notFound` for a namespace in which the viewer may not
 * create projects, reason `taken` for a taken name or path, and if the project limit is reached
 * (v4-behaviour 2.5).
 */
export async function forkProject(ref: string, input: ForkInput, ctx: Context): Promise<number> {
  const { viewer, db } = ctx;
  if (!viewer) throw unauthenticated();
  const { id: sourceId } = await findProject(ref, ctx, canDownloadCode);
  const target = await findForkTarget(input.namespace, viewer, ctx);
  if (!target) throw notFound('Target Namespace');
  const source = await db.project.findUnique({
    where: { id: sourceId },
    select: { ...copied, visibility: true, avatar: true, storage: true },
  });
  if (!source) throw notFound('Project');
  const { avatar, defaultBranch, storage, ...settings } = source;
  const project = {
    ...settings,
    ...(defaultBranch !== null && { defaultBranch }),
    name: input.name ?? source.name,
    path: input.path ?? source.path,
    visibility: widestVisibility(source.visibility, target, ctx),
  };
  const origin: ProjectOrigin = {
    columns: { importStatus: 'scheduled', forkedFromId: sourceId },
    storage,
    take: async (tx) => {
      const { visibility } = await lockProject(tx, sourceId);
      // the source became less visible in between: its contents must not be published
      if (isWider(project.visibility, visibility)) throw notFound('Project');
    },
    follow: async (tx, projectId) => {
      await changeForkCount(tx, sourceId, 1);
      await ctx.jobs.enqueue('fork-project', { projectId, sourceId }, tx);
    },
  };
  const id = await createProjectIn(target, project, viewer, ctx, origin);
  if (avatar !== null) {
    await copyAvatar({ kind: 'project', id: sourceId }, avatar, { kind: 'project', id }, ctx);
  }
  return id;
}

async function findForkTarget(
  ref: string | undefined,
  viewer: ProjectOwner,
  ctx: Context,
): Promise<TargetNamespace | null> {
  if (ref === undefined) return findTargetNamespace({ ownerId: viewer.id }, viewer, ctx);
  const target = await findTargetNamespace(byIdOrPath(ref), viewer, ctx);
  // names are unique among top-level namespaces only
  return target ?? findTargetNamespace({ parentId: null, name: ref }, viewer, ctx);
}

/**
 * The visibility, limited by those of the source and the group, and by the levels the viewer may
 * use.
 */
function widestVisibility(
  source: Visibility,
  target: TargetNamespace,
  { viewer, settings }: Context,
): Visibility {
  const restricted = viewer?.isAdmin ? [] : settings.current.restrictedVisibilityLevels;
  const open = visibilities.filter(
    (visibility) =>
      !isWider(visibility, source) &&
      !(target.kind === 'group' && isWider(visibility, target.visibility)) &&
      !restricted.includes(visibility),
  );
  return open.at(-1) ?? 'private';
}
