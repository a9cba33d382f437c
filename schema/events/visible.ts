import { Prisma } from '../../prisma/client.ts';
import { canAdminIssues } from '../issues/policy.ts';
import { Access } from '../kernel/access.ts';
import { anyOf, isOpenTo } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isAtLevel } from '../projects/at-level.ts';
import { type findProject, memberProjects } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';
import { canSeeAllSnippets } from '../snippets/policy.ts';

const isOpen = Prisma.raw('NOT is_confidential');

/** Confidential issues that the viewer wrote or is assigned to. */
const isOwn = ({ id }: Viewer): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM issues
  WHERE issues.id = coalesce((SELECT issue_id FROM notes WHERE notes.id = note_id),
      CASE WHEN target = 'issue' THEN target_id END)
    AND (issues.author_id = ${id}
      OR EXISTS (SELECT FROM issue_assignees WHERE issue_id = issues.id AND user_id = ${id})))`;

/**
 * Whether each feature of a project is visible: values, or conditions on the joined project's
 * columns.
 */
interface VisibleFeatures {
  readonly issues: Prisma.Sql;
  readonly mergeRequests: Prisma.Sql;
  readonly snippets: Prisma.Sql;
}

/**
 * Hides events of features that are disabled or that the viewer may not read. Looks the note up by
 * its id: for EXISTS the planner may read all notes.
 */
const featureIsVisible = ({
  issues,
  mergeRequests,
  snippets,
}: VisibleFeatures): Prisma.Sql => Prisma.sql`
  CASE WHEN note_id IS NOT NULL THEN (
    SELECT CASE WHEN issue_id IS NOT NULL THEN ${issues}
      WHEN merge_request_id IS NOT NULL THEN ${mergeRequests} ELSE ${snippets} END
    FROM notes WHERE notes.id = events.note_id)
  ELSE CASE target WHEN 'issue' THEN ${issues} WHEN 'merge_request' THEN ${mergeRequests}
    ELSE true END
  END`;

/** For a snippet joined to a note: `canReadSnippet` in SQL for users who are not members. */
const isSnippetOpen = (viewer: Viewer | null): Prisma.Sql => Prisma.sql`(
  SELECT ${anyOf([isOpenTo(viewer), ...(viewer ? [Prisma.sql`author_id = ${viewer.id}`] : [])])}
  FROM snippets WHERE snippets.id = notes.snippet_id)`;

const literally = (value: boolean): Prisma.Sql => Prisma.raw(String(value));

/** The events that the viewer may see, among those of one project. */
export function eventsIn(
  project: Awaited<ReturnType<typeof findProject>>,
  viewer: Viewer | null,
): readonly Prisma.Sql[] {
  const { level } = project;
  const seesAll = canAdminIssues(level);
  const readsCode = canDownloadCode(viewer, level, project);
  const isMember = viewer !== null && canSeeAllSnippets(viewer, level);
  const { issuesEnabled, snippetsEnabled } = project;
  const seesMergeRequests = project.mergeRequestsEnabled && readsCode;
  const seesEverything = issuesEnabled && seesMergeRequests && snippetsEnabled && isMember;
  const features = {
    issues: literally(issuesEnabled),
    mergeRequests: literally(seesMergeRequests),
    snippets: snippetsEnabled && !isMember ? isSnippetOpen(viewer) : literally(snippetsEnabled),
  };
  return [
    ...(seesEverything ? [] : [featureIsVisible(features)]),
    ...(seesAll ? [] : [viewer ? anyOf([isOpen, isOwn(viewer)]) : isOpen]),
    ...(readsCode ? [] : [Prisma.sql`action <> 'pushed'`]),
  ];
}

/**
 * The events that the viewer may see, among those by a user, of all projects: conditions and the join
 * they need.
 */
export function eventsBy(
  authorId: number,
  viewer: Viewer | null,
): { readonly where: readonly Prisma.Sql[]; readonly beside: Prisma.Sql } {
  const isAll = literally(viewer?.isAdmin === true);
  const isMember = viewer && !viewer.isAdmin ? memberProjects(viewer) : isAll;
  const isReporter = viewer && !viewer.isAdmin ? isAtLevel(viewer, Access.reporter) : isAll;
  const readsCode = Prisma.sql`(is_open OR is_reporter)`;
  return {
    // judges each project of the events once: OFFSET keeps the planner from joining first
    beside: Prisma.sql`JOIN (
      SELECT id AS place_id, issues_enabled, merge_requests_enabled, snippets_enabled,
        ${isOpenTo(viewer)} AS is_open, ${isReporter} AS is_reporter, ${isMember} AS is_member
      FROM projects
      WHERE id IN (SELECT project_id FROM events WHERE author_id = ${authorId}) AND NOT is_removed
      OFFSET 0
    ) place ON place_id = project_id AND (is_open OR is_member)`,
    where: [
      featureIsVisible({
        issues: Prisma.raw('issues_enabled'),
        mergeRequests: Prisma.sql`(merge_requests_enabled AND ${readsCode})`,
        snippets: Prisma.sql`(snippets_enabled AND (is_member OR ${isSnippetOpen(viewer)}))`,
      }),
      Prisma.sql`(action <> 'pushed' OR ${readsCode})`,
      anyOf([isOpen, Prisma.raw('is_reporter'), ...(viewer ? [isOwn(viewer)] : [])]),
    ],
  };
}
