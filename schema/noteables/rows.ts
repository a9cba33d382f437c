import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { type Model, recordsOn } from '../listing/records.ts';
import { userColumnsFor } from '../users/rows.ts';

type SelectedNames = (below?: string) => ReadonlySet<string>;

/** A table whose rows each have an author. */
export interface AuthoredTable {
  readonly table: 'notes' | 'award_emojis';
  readonly columns: readonly string[];
  /** The relation to the author, and its column. */
  readonly person: 'author' | 'user';
  readonly personColumn: 'author_id' | 'user_id';
  /** For a document that selects more than the row and the author. */
  readonly model: Model;
}

/** The columns of the row `alias`, with its author as `row_to_json` writes it. */
export const authoredColumns = (
  { columns, person, personColumn }: Omit<AuthoredTable, 'model' | 'table'>,
  alias: string,
  selected: SelectedNames,
): Prisma.Sql =>
  Prisma.raw(`${columnsOf(alias, columns)}, (SELECT row_to_json(selected_columns) FROM (
    SELECT ${userColumnsFor(selected(person))} FROM users WHERE users.id = ${alias}.${personColumn}
  ) selected_columns) AS "${person}"`);

/** Whether a document selects only a row's own columns and its author's. */
export function selectsOnlyAuthor(query: object, person: string): boolean {
  const { include = {}, select } = query as { include?: object; select?: object };
  return (
    select === undefined &&
    Object.entries(include).every(([name, below]) => name === person && below === true)
  );
}

/** A row read as JSON, in Prisma's shape. */
export function withAuthorDates<Row extends object>(row: Row, person: 'author' | 'user'): Row {
  const author = (withDates(row) as { readonly [name: string]: unknown })[person];
  if (author) withDates(author);
  return row;
}

/**
 * A page with its authors and the number of all rows. One statement returns JSON in the shape
 * Prisma would give (docs/adr/0013).
 */
export function authoredPage<Row extends { readonly id: number }>(
  ctx: Pick<Context, 'db'>,
  authored: AuthoredTable,
  listing: Omit<Listing, 'table'>,
): Page<Row> {
  const { table, person } = authored;
  const reader = readerOf(ctx, { ...listing, table });
  return {
    nodes: async (query, selected) =>
      selectsOnlyAuthor(query, person)
        ? (await reader.rows<Row>(authoredColumns(authored, table, selected))).map((row) =>
            withAuthorDates(row, person),
          )
        : recordsOn(ctx, reader, authored.model, query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}
