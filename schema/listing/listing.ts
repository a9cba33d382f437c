import { Prisma } from '../../prisma/client.ts';
import type { PageArgs } from './page.ts';

/** A listing whose filter is SQL; table, columns and direction are constants, never user input. */
export interface Listing {
  readonly table:
    | 'projects'
    | 'namespaces'
    | 'users'
    | 'emails'
    | 'keys'
    | 'access_tokens'
    | 'members'
    | 'access_requests'
    | 'issues'
    | 'merge_requests'
    | 'merge_request_versions'
    | 'notes'
    | 'award_emojis'
    | 'events'
    | 'pipelines'
    | 'jobs'
    | 'runners'
    | 'commit_comments'
    | 'commit_statuses'
    | 'protected_branches'
    | 'protected_tags'
    | 'releases'
    | 'release_links'
    | 'triggers'
    | 'pipeline_schedules'
    | 'environments'
    | 'deployments'
    | 'variables'
    | 'web_hooks'
    | 'hook_deliveries'
    | 'labels'
    | 'milestones'
    | 'boards'
    | 'snippets'
    | 'todos'
    | 'oauth_applications'
    | 'dead_letters'
    | 'audit_events';
  readonly where: Prisma.Sql;
  /** Joined to the table for `where`; its column names must differ from the table's. */
  readonly beside?: Prisma.Sql;
  /**
   * The filter searches text or evaluates each row: reading all rows once is cheaper than counting
   * them and then reading a page.
   */
  readonly isSearch?: boolean;
  readonly column: string;
  /** Order by the column's text without regard to case. */
  readonly ignoresCase?: boolean;
  readonly direction: 'asc' | 'desc';
  /** An order by several columns, which replaces `column` and `direction`; cursors are offsets. */
  readonly order?: string;
  readonly page: PageArgs;
  /** The record that the rows belong to, which is then not in `where`. */
  readonly parent?: Parent;
}

/** What the rows are ordered by. */
export const keyOf = ({ column, ignoresCase, order }: Listing): Prisma.Sql => {
  if (order) return Prisma.raw('id');
  return Prisma.raw(ignoresCase ? `lower(${column})` : column);
};

/**
 * The record that an edge starts from. Listings of several parents that differ in nothing else are
 * read together.
 */
export interface Parent {
  /** A number, or the text that identifies the parent. */
  readonly id: number | string;
  /** A further value of the parent, as a text that the condition may cast. */
  readonly value?: string;
  /** The condition that a row belongs to the parent with this id and value. */
  readonly condition: (id: Prisma.Sql, value: Prisma.Sql) => Prisma.Sql;
}

/** The parent whose id the rows have in `column`. */
export const belongsTo = (column: string, id: number) =>
  ({
    id,
    condition: (parentId: Prisma.Sql) => Prisma.sql`${Prisma.raw(column)} = ${parentId}`,
  }) satisfies Parent;
