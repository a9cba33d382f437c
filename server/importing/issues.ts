import type { z } from 'zod';
import { type IssuableKind, importIssuables } from './issuables.ts';
import type { ProjectImport } from './project-import.ts';
import { issueShape } from './shapes.ts';

const issues: IssuableKind<z.infer<typeof issueShape>> = {
  path: 'issues',
  shape: issueShape,
  sign: '#',
  existing: (tx, projectId, iids) =>
    tx.issue.findMany({
      where: { projectId, iid: { in: [...iids] } },
      select: { iid: true, createdAt: true },
    }),
  prepare: async (item, shared, { people, target }) => {
    const assigneeIds = await people.findAll(item.assignees ?? []);
    return async (tx, labelIds) => {
      await tx.issue.create({
        data: {
          ...shared,
          state: item.state,
          isConfidential: item.confidential ?? false,
          dueDate: item.due_date ?? null,
          assignees: { createMany: { data: assigneeIds.map((userId) => ({ userId })) } },
          labels: { createMany: { data: labelIds.map((labelId) => ({ labelId })) } },
        },
        select: { id: true },
      });
      await tx.$executeRaw`
        UPDATE projects SET last_issue_iid = GREATEST(last_issue_iid, ${item.iid})
        WHERE id = ${target.id}`;
    };
  },
};

/** The issues of the project with their notes. */
export const importIssues = (project: ProjectImport): Promise<void> =>
  importIssuables(issues, project);
