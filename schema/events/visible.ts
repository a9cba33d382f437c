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

interface Switches {
  readonly issues: string;
  readonly mergeRequests: string;
  readonly snippets: string;
}

/**
 * What a project has switched off is not told of it, and what was said and taken back is no event any
 * more. The note is looked up by its id: as EXISTS it could be found by reading all notes there are.
 */
const isSwitchedOn = ({ issues, mergeRequests, snippets }: Switches): Prisma.Sql =>
  Prisma.raw(`
  CASE WHEN note_id IS NOT NULL THEN (
    SELECT CASE WHEN issue_id IS NOT NULL THEN ${issues}
      WHEN merge_request_id IS NOT NULL THEN ${mergeRequests} ELSE ${snippets} END
    FROM notes WHERE notes.id = events.note_id)
  ELSE CASE target WHEN 'issue' THEN ${issues} WHEN 'merge_request' THEN ${mergeRequests}
    WHEN 'snippet' THEN ${snippets} ELSE true END
  END`);

/** By the columns of the project beside it. */
const isSwitchedOnThere = isSwitchedOn({
  issues: 'are_issues_enabled',
  mergeRequests: 'are_merge_requests_enabled',
  snippets: 'are_snippets_enabled',
});

interface Place {
  readonly id: number;
  readonly level: Access;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly isArchived: boolean;
  readonly areIssuesEnabled: boolean;
  readonly areMergeRequestsEnabled: boolean;
  readonly areSnippetsEnabled: boolean;
}

/** The events of a project at hand that the viewer may see. */
export function eventsIn(project: Place, viewer: Viewer | null): readonly Prisma.Sql[] {
  const { id, level } = project;
  const seesAll = canAdminIssues(level);
  return [
    Prisma.sql`project_id = ${id}`,
    isSwitchedOn({
      issues: String(project.areIssuesEnabled),
      mergeRequests: String(project.areMergeRequestsEnabled),
      snippets: String(project.areSnippetsEnabled),
    }),
    ...(seesAll ? [] : [viewer ? some([isOpen, isOwn(viewer)]) : isOpen]),
    ...(canDownloadCode(viewer, level, project) ? [] : [Prisma.sql`action <> 'pushed'`]),
  ];
}

/** What somebody did that the viewer may see, of all projects. */
export function eventsBy(authorId: number, viewer: Viewer | null): readonly Prisma.Sql[] {
  const atLeastReporter = viewer && !viewer.isAdmin && projectsAtLevel(viewer, Access.reporter);
  const isReporter = atLeastReporter && Prisma.sql`project_id IN (${atLeastReporter})`;
  const seen = every([
    visibleProjects(viewer),
    isSwitchedOnThere,
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
    // looked up by its id: as EXISTS it could be found by reading all projects there are
    Prisma.sql`(
      SELECT ${seen} FROM projects WHERE projects.id = events.project_id AND NOT is_removed)`,
    ...(viewer?.isAdmin
      ? []
      : [viewer && isReporter ? some([isOpen, isReporter, isOwn(viewer)]) : isOpen]),
  ];
}
