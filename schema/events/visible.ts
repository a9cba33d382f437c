import { Prisma } from '../../prisma/client.ts';
import { canAdminIssues } from '../issues/policy.ts';
import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/context.ts';
import { every, isOpenTo, some } from '../kernel/sql.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { visibleProjects } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';

const isOpen = Prisma.raw('NOT is_confidential');

/** Confidential, but the viewer's own: about an issue they wrote, or are to do. */
const isOwn = ({ id }: Viewer): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM issues
  WHERE issues.id = coalesce((SELECT issue_id FROM notes WHERE notes.id = note_id),
      CASE WHEN target = 'issue' THEN target_id END)
    AND (issues.author_id = ${id}
      OR EXISTS (SELECT FROM issue_assignees WHERE issue_id = issues.id AND user_id = ${id})))`;

/** What was said and taken back is no event any more. */
const isStillSaid = Prisma.raw(`
  (note_id IS NULL OR EXISTS (SELECT FROM notes WHERE notes.id = events.note_id))`);

/** What a project has switched off is not told of it. */
const isSwitchedOn = Prisma.raw(`
  CASE target
    WHEN 'issue' THEN are_issues_enabled
    WHEN 'merge_request' THEN are_merge_requests_enabled
    WHEN 'snippet' THEN are_snippets_enabled
    WHEN 'note' THEN (are_issues_enabled AND are_merge_requests_enabled AND are_snippets_enabled)
      OR EXISTS (SELECT FROM notes WHERE notes.id = events.note_id AND CASE
        WHEN issue_id IS NOT NULL THEN are_issues_enabled
        WHEN merge_request_id IS NOT NULL THEN are_merge_requests_enabled
        ELSE are_snippets_enabled END)
    ELSE true
  END`);

interface Place {
  readonly id: number;
  readonly level: Access;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly isArchived: boolean;
}

/** The events of a project at hand that the viewer may see. */
export function eventsIn(project: Place, viewer: Viewer | null): readonly Prisma.Sql[] {
  const { id, level } = project;
  const seesAll = canAdminIssues(level);
  return [
    Prisma.sql`project_id = ${id}`,
    isStillSaid,
    Prisma.sql`EXISTS (SELECT FROM projects WHERE id = ${id} AND ${isSwitchedOn})`,
    ...(seesAll ? [] : [viewer ? some([isOpen, isOwn(viewer)]) : isOpen]),
    ...(canDownloadCode(viewer, level, project) ? [] : [Prisma.sql`action <> 'pushed'`]),
  ];
}

/** What somebody did that the viewer may see, of all projects. */
export function eventsBy(authorId: number, viewer: Viewer | null): readonly Prisma.Sql[] {
  const atLeastReporter = viewer && !viewer.isAdmin && projectsAtLevel(viewer, Access.reporter);
  const isReporter = atLeastReporter && Prisma.sql`project_id = ANY(ARRAY(${atLeastReporter}))`;
  const seen = every([
    Prisma.raw('projects.id = events.project_id AND NOT is_removed'),
    visibleProjects(viewer),
    isSwitchedOn,
    ...(viewer?.isAdmin
      ? []
      : [
          some([
            Prisma.sql`action <> 'pushed'`,
            isOpenTo(viewer),
            ...(isReporter ? [isReporter] : []),
          ]),
        ]),
  ]);
  return [
    Prisma.sql`author_id = ${authorId}`,
    isStillSaid,
    Prisma.sql`EXISTS (SELECT FROM projects WHERE ${seen})`,
    ...(viewer?.isAdmin
      ? []
      : [viewer && isReporter ? some([isOpen, isReporter, isOwn(viewer)]) : isOpen]),
  ];
}
