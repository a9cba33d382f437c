import { Prisma } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { findRecord } from '../listing/records.ts';
import {
  accessibleProject,
  findProject,
  type ProjectFacts,
  projectById,
} from '../projects/find.ts';
import { canReadMergeRequests, type MergeRequestTraits } from './policy.ts';

type ViewerContext = Pick<Context, 'db' | 'viewer'>;

/**
 * The project `ref` (an id or a full path) with the viewer's `level` in it. Throws unless the
 * viewer may read its code (anonymous users that of public projects) and merge requests are enabled
 * there.
 */
export async function findMergeRequestProject(ref: string, ctx: ViewerContext) {
  return withMergeRequests(await findProject(ref, ctx, canReadMergeRequests));
}

/** As `findMergeRequestProject`, for edges. */
export const mergeRequestProjectById = async (id: number, ctx: ViewerContext) =>
  withMergeRequests(await projectById(id, ctx, canReadMergeRequests));

/** As `findMergeRequestProject`, for the project of a record. */
export const mergeRequestProjectOf = (project: ProjectFacts, ctx: ViewerContext) =>
  withMergeRequests(accessibleProject(project, ctx, canReadMergeRequests));

function withMergeRequests<Project extends { readonly mergeRequestsEnabled: boolean }>(
  project: Project,
) {
  if (!project.mergeRequestsEnabled) throw forbidden();
  return project;
}

type Rule = (viewer: Viewer, level: Access, mergeRequest: MergeRequestTraits) => boolean;

/**
 * The merge request `iid` of a project, with the project and the viewer's `level` in it. With a
 * `rule`, throws unless the viewer is signed in and the rule holds (v4-behaviour 1.10, 3.4).
 */
export async function findMergeRequest(ref: string, iid: number, ctx: ViewerContext, rule?: Rule) {
  if (rule) signedIn(ctx);
  const project = await findMergeRequestProject(ref, ctx);
  const mergeRequest = await findRecord(ctx, {
    model: 'mergeRequest',
    query: {
      include: {
        text: { select: { title: true, description: true } },
        sourceProject: {
          select: { id: true, fullPath: true, storage: true, diskPath: true, isRemoved: true },
        },
      },
    },
    condition: Prisma.sql`project_id = ${project.id} AND iid = ${iid}`,
  });
  if (!mergeRequest) throw recordNotFound();
  const { text, sourceProject, ...columns } = mergeRequest;
  const loaded = {
    ...columns,
    title: text?.title ?? '',
    description: text?.description ?? null,
    /** Null if the fork was deleted. */
    sourceProject: sourceProject?.isRemoved ? null : sourceProject,
    project,
    level: project.level,
  };
  if (rule && !rule(signedIn(ctx), project.level, loaded)) throw forbidden();
  return loaded;
}

/** A merge request with its source and target project. */
export type MergeRequestWithProjects = Awaited<ReturnType<typeof findMergeRequest>>;
