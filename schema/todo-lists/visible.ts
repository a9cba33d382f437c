import { Prisma } from '../../prisma/client.ts';
import { visibleIssues } from '../issues/visible.ts';
import { allOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { visibleMergeRequests } from '../merge-requests/visible.ts';

/**
 * The to-dos of the viewer whose issue or merge request they still see. Each row looks its target up by
 * id: the planner would otherwise read all issues that the viewer may see.
 */
export const visibleTodos = (viewer: Viewer): readonly Prisma.Sql[] => [
  Prisma.sql`(issue_id IS NULL OR EXISTS (
    SELECT FROM issues WHERE issues.id = issue_id AND ${allOf(visibleIssues(viewer))} OFFSET 0))`,
  Prisma.sql`(merge_request_id IS NULL OR EXISTS (
    SELECT FROM merge_requests
    WHERE merge_requests.id = merge_request_id AND ${allOf(visibleMergeRequests(viewer))}
    OFFSET 0))`,
];
