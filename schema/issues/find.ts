import type { Prisma } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  accessibleProject,
  findProject,
  type ProjectFacts,
  projectById,
} from '../projects/find.ts';
import { canAdminIssues, type IssueTraits } from './policy.ts';

type ViewerContext = Pick<Context, 'db' | 'viewer'>;

/**
 * The project `ref` (an id or a full path) with the viewer's `level` in it. Throws unless the
 * viewer is signed in, sees the project, and issues are enabled there.
 */
export async function findIssueProject(ref: string, ctx: ViewerContext) {
  signedIn(ctx);
  return withIssues(await findProject(ref, ctx));
}

/** As `findIssueProject`, for edges. */
export async function issueProjectById(id: number, ctx: ViewerContext) {
  signedIn(ctx);
  return withIssues(await projectById(id, ctx));
}

/** As `findIssueProject`, for the project of a record. */
export function issueProjectOf(project: ProjectFacts, ctx: ViewerContext) {
  signedIn(ctx);
  return withIssues(accessibleProject(project, ctx));
}

function withIssues<Project extends { readonly issuesEnabled: boolean }>(project: Project) {
  if (!project.issuesEnabled) throw forbidden();
  return project;
}

/**
 * The issues of a project that are visible at this access level: confidential issues need reporter,
 * or being their author or an assignee.
 */
const visibleIssues = ({ id }: Pick<Viewer, 'id'>, level: Access): Prisma.IssueWhereInput =>
  canAdminIssues(level)
    ? {}
    : {
        OR: [{ isConfidential: false }, { authorId: id }, { assignees: { some: { userId: id } } }],
      };

type Rule = (viewer: Viewer, level: Access, issue: IssueTraits) => boolean;

/**
 * The issue `iid` of a project, with the project and the viewer's `level` in it. Throws `not found`
 * if the viewer cannot see it, and `forbidden` unless `rule` holds (v4-behaviour 3.3).
 */
export async function findIssue(
  ref: string,
  iid: number,
  ctx: ViewerContext,
  rule: Rule = () => true,
) {
  const viewer = signedIn(ctx);
  const project = await findIssueProject(ref, ctx);
  const issue = await ctx.db.issue.findFirst({
    relationLoadStrategy: 'join',
    where: { projectId: project.id, iid, ...visibleIssues(viewer, project.level) },
    select: {
      id: true,
      iid: true,
      projectId: true,
      authorId: true,
      state: true,
      isConfidential: true,
      isDiscussionLocked: true,
      updatedAt: true,
      assignees: { select: { userId: true } },
    },
  });
  if (!issue) throw recordNotFound();
  if (!rule(viewer, project.level, issue)) throw forbidden();
  return { ...issue, project, level: project.level };
}

/** Reads an issue after a mutation; `query` is Prisma's selection. */
export const reloadIssue = (query: object, id: number, { db }: Pick<Context, 'db'>) =>
  db.issue.findUniqueOrThrow({ ...query, relationLoadStrategy: 'join', where: { id } });
