import { Prisma } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { allOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { findRecord } from '../listing/records.ts';
import { signedInFinders } from '../projects/signed-in-finders.ts';
import type { IssueTraits } from './policy.ts';
import { issuesIn } from './visible.ts';

type ViewerContext = Pick<Context, 'db' | 'viewer'>;

const finders = signedInFinders((_viewer, _level, project) => project.issuesEnabled);

/**
 * The project `ref` (an id or a full path) with the viewer's `level` in it. Throws unless the
 * viewer is signed in, sees the project, and issues are enabled there.
 */
export const findIssueProject = finders.find;

/** As `findIssueProject`, for edges. */
export const issueProjectById = finders.byId;

/** As `findIssueProject`, for the project of a record. */
export const issueProjectOf = finders.ofRecord;

const neededOfIssue = {
  id: true,
  iid: true,
  projectId: true,
  authorId: true,
  state: true,
  isConfidential: true,
  isDiscussionLocked: true,
  updatedAt: true,
  assignees: { select: { userId: true } },
} as const satisfies Prisma.IssueSelect;

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
  const issue = await findRecord(ctx, {
    model: 'issue',
    query: { select: neededOfIssue },
    condition: allOf([...issuesIn(project, viewer), Prisma.sql`iid = ${iid}`]),
  });
  if (!issue) throw recordNotFound();
  if (!rule(viewer, project.level, issue)) throw forbidden();
  return { ...issue, project, level: project.level };
}
