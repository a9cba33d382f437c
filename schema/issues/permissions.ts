import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { projectById } from '../projects/find.ts';
import { ProjectAccess } from '../projects/types.ts';
import { canAdminIssues, canDeleteIssue, canUpdateIssue } from './policy.ts';
import { Issue } from './types.ts';

/** Whether the viewer is assigned to an issue; one statement for all issues of an operation. */
const isAssigned = batched<number, boolean>(async (ids, { db, viewer }) => {
  const rows = await db.issueAssignee.findMany({
    where: { issueId: { in: [...ids] }, userId: viewer?.id ?? 0 },
    select: { issueId: true },
  });
  return new Map(rows.map(({ issueId }) => [issueId, true]));
}, false);

builder.prismaObjectField(Issue, 'canUpdate', (t) =>
  t.boolean({
    description:
      'Whether the current user may change the issue: reporters, the author and the assignees.',
    select: { id: true, projectId: true, authorId: true },
    resolve: async ({ id, projectId, authorId }, _args, ctx) => {
      const { viewer } = ctx;
      if (!viewer) return false;
      const [{ level }, assigned] = await Promise.all([
        projectById(projectId, ctx),
        isAssigned(id, ctx),
      ]);
      const assignees = assigned ? [{ userId: viewer.id }] : [];
      return canUpdateIssue(viewer, level, { authorId, assignees });
    },
  }),
);

builder.objectFields(ProjectAccess, (t) => ({
  canAdministerIssues: t.boolean({
    description:
      'Whether the current user may set labels, milestone and assignees of issues, and move them.',
    resolve: ({ level }) => canAdminIssues(level),
  }),
  canDeleteIssues: t.boolean({
    description: 'Whether the current user may delete issues.',
    resolve: ({ level }) => canDeleteIssue(level),
  }),
}));
