import type { Prisma } from '../../prisma/client.ts';
import { columnsByTable } from '../../prisma/data-model.ts';

interface WatchedTable {
  /** The name under which its changes are recorded: the table whose records its rows are part of. */
  readonly recordedAs: string;
  /** The columns whose updates are recorded; all if there are none here. */
  readonly columns?: readonly string[];
}

/**
 * The tables whose changes triggers write to `table_changes`. A migration that changes the triggers
 * changes this table; test/schema/watched-columns.test.ts compares both.
 */
export const watchedTables: ReadonlyMap<string, WatchedTable> = new Map<string, WatchedTable>([
  [
    'issues',
    {
      recordedAs: 'issues',
      columns: [
        ...['id', 'project_id', 'iid', 'author_id', 'milestone_id', 'state', 'is_confidential'],
        'created_at',
      ],
    },
  ],
  ['issue_texts', { recordedAs: 'issues' }],
  ['issue_labels', { recordedAs: 'issues' }],
  ['issue_assignees', { recordedAs: 'issues' }],
  [
    'merge_requests',
    {
      recordedAs: 'merge_requests',
      columns: [
        ...['id', 'project_id', 'iid', 'source_project_id', 'source_branch', 'target_branch'],
        ...['author_id', 'assignee_id', 'milestone_id', 'state', 'created_at'],
      ],
    },
  ],
  ['merge_request_texts', { recordedAs: 'merge_requests' }],
  ['merge_request_labels', { recordedAs: 'merge_requests' }],
  ['labels', { recordedAs: 'labels' }],
  ['milestones', { recordedAs: 'milestones' }],
  [
    'projects',
    {
      recordedAs: 'projects',
      columns: [
        ...['id', 'namespace_id', 'creator_id', 'name', 'path', 'description', 'namespace_name'],
        ...['visibility', 'is_archived', 'is_removed', 'issues_enabled', 'merge_requests_enabled'],
        ...['snippets_enabled', 'jobs_enabled', 'public_jobs', 'forked_from_id', 'created_at'],
      ],
    },
  ],
  ['project_group_links', { recordedAs: 'project_group_links' }],
  ['members', { recordedAs: 'members' }],
  ['namespaces', { recordedAs: 'namespaces' }],
  [
    'users',
    { recordedAs: 'users', columns: ['id', 'username_key', 'name', 'state', 'created_at'] },
  ],
]);

/** The condition of memberships changes at midnight only; a remembered value is of one day. */
const currentDay = "(now() AT TIME ZONE 'UTC')::date";

/** Words that PostgreSQL evaluates to something else in the next statement, or that read what is not a column. */
const unsteady =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|current_\w+|localtime\w*|to_jsonb?|row_to_json|xmin|ctid)\b|\*(?!\))/;

/**
 * The names under which changes are recorded that could change the result of a query; null if it
 * depends on anything else. Each word that could be a table or a column counts as one: a
 * query that is not a view or function must name what it reads.
 */
export function recordedTablesOf({ sql }: Pick<Prisma.Sql, 'sql'>): readonly string[] | null {
  const text = sql.replaceAll(currentDay, '');
  if (unsteady.test(text)) return null;
  const words = wordsIn(text);
  const recorded = new Set<string>();
  for (const name of tablesNamedIn(text)) {
    const table = watchedTables.get(name);
    if (!table) return null;
    const { columns, recordedAs } = table;
    const isUnwatched = (column: string) => words.has(column) && !columns?.includes(column);
    if (columns && [...(columnsByTable.get(name)?.keys() ?? [])].some(isUnwatched)) return null;
    recorded.add(recordedAs);
  }
  return [...recorded];
}

const wordsIn = (sql: string): ReadonlySet<string> => new Set(sql.match(/\b[a-z_]+\b/g));

/** The tables that a query can read. */
export const tablesNamedIn = (sql: string): readonly string[] =>
  [...wordsIn(sql)].filter((word) => columnsByTable.has(word));
