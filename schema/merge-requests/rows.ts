import { Prisma } from '../../prisma/client.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { issuableRows, json } from '../issuables/rows.ts';
import type { MergeRequestRecord } from './types.ts';

/** A page of merge requests and how many there are. */
export const mergeRequestPage = issuableRows<MergeRequestRecord>({
  kind: mergeRequestKind,
  columns: Object.keys(Prisma.MergeRequestScalarFieldEnum),
  included: {
    project: {
      columns: ['id', 'fullPath', 'defaultBranch'],
      sql: json(`id, full_path AS "fullPath", default_branch AS "defaultBranch"
        FROM projects WHERE projects.id = merge_requests.project_id`),
    },
    sourceProject: {
      columns: ['isRemoved'],
      sql: json(`is_removed AS "isRemoved"
        FROM projects WHERE projects.id = merge_requests.source_project_id`),
    },
  },
  assigned: 'assignee',
  assignedAs: (userColumns) =>
    json(`${userColumns} FROM users WHERE users.id = merge_requests.assignee_id`),
  model: 'mergeRequest',
});
