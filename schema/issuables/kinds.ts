import { Prisma } from '../../prisma/client.ts';

/** Issues or merge requests: the names of their tables and columns, and how assignees are stored. */
export interface IssuableKind {
  /** The GraphQL type; with a lower-case first letter the name of fields. */
  readonly name: 'Issue' | 'MergeRequest';
  /** How descriptions of the schema name one. */
  readonly inText: string;
  /** Who may track time, for descriptions. */
  readonly trackers: string;
  /** The segment of its web URL. */
  readonly path: string;
  readonly table: Prisma.Sql;
  /** `<table>.id`. */
  readonly id: Prisma.Sql;
  /** The column by which rows of other tables refer to it. */
  readonly reference: Prisma.Sql;
  readonly texts: Prisma.Sql;
  readonly labels: Prisma.Sql;
  readonly subscriptions: Prisma.Sql;
  readonly isAssigned: Prisma.Sql;
  readonly isUnassigned: Prisma.Sql;
  /** The condition for a listing; an index finds the rows. */
  assignedTo(userId: number | Prisma.Sql): Prisma.Sql;
  /** The condition for a row that was read by its id. */
  isAssignee(userId: number): Prisma.Sql;
  /** A query for the ids of the assignees of one row, whose id may be a column. */
  assigneesOf(id: Prisma.Sql): Prisma.Sql;
}

const namesOf = (singular: 'issue' | 'merge_request') => ({
  path: `${singular}s`,
  table: Prisma.raw(`${singular}s`),
  id: Prisma.raw(`${singular}s.id`),
  reference: Prisma.raw(`${singular}_id`),
  texts: Prisma.raw(`${singular}_texts`),
  labels: Prisma.raw(`${singular}_labels`),
  subscriptions: Prisma.raw(`${singular}_subscriptions`),
});

export const issueKind: IssuableKind = {
  name: 'Issue',
  inText: 'the issue',
  trackers: 'Reporters may.',
  ...namesOf('issue'),
  // OFFSET makes the planner look up each issue instead of reading the assignees of all
  isAssigned: Prisma.raw(
    'EXISTS (SELECT FROM issue_assignees WHERE issue_id = issues.id OFFSET 0)',
  ),
  isUnassigned: Prisma.raw('NOT EXISTS (SELECT FROM issue_assignees WHERE issue_id = issues.id)'),
  assignedTo: (userId) =>
    Prisma.sql`id IN (SELECT issue_id FROM issue_assignees WHERE user_id = ${userId})`,
  isAssignee: (userId) => Prisma.sql`EXISTS (
    SELECT FROM issue_assignees WHERE issue_id = issues.id AND user_id = ${userId})`,
  assigneesOf: (id) => Prisma.sql`SELECT user_id FROM issue_assignees WHERE issue_id = ${id}`,
};

export const mergeRequestKind: IssuableKind = {
  name: 'MergeRequest',
  inText: 'the merge request',
  trackers: 'Developers may.',
  ...namesOf('merge_request'),
  isAssigned: Prisma.raw('assignee_id IS NOT NULL'),
  isUnassigned: Prisma.raw('assignee_id IS NULL'),
  assignedTo: (userId) => Prisma.sql`assignee_id = ${userId}`,
  isAssignee: (userId) => Prisma.sql`assignee_id IS NOT DISTINCT FROM ${userId}`,
  assigneesOf: (id) => Prisma.sql`
    SELECT assignee_id FROM merge_requests
    WHERE merge_requests.id = ${id} AND assignee_id IS NOT NULL`,
};
