import { Prisma } from '../../prisma/client.ts';
import { issueKind } from '../issuables/kinds.ts';
import { issuableRows, json } from '../issuables/rows.ts';
import type { IssueRecord } from './types.ts';

/** A page of issues and how many there are. */
export const issuePage = issuableRows<IssueRecord>({
  kind: issueKind,
  columns: Object.keys(Prisma.IssueScalarFieldEnum),
  included: {
    project: {
      columns: ['fullPath'],
      sql: json('full_path AS "fullPath" FROM projects WHERE projects.id = issues.project_id'),
    },
  },
  assigned: 'assignees',
  assignedAs: (userColumns) => `
    (SELECT coalesce(json_agg(json_build_object('user', ${json(
      `${userColumns} FROM users WHERE users.id = user_id`,
    )}) ORDER BY user_id), '[]')
     FROM issue_assignees WHERE issue_id = issues.id)`,
  model: 'issue',
});
