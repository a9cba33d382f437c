import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import { userColumnsFor } from '../users/rows.ts';
import type { Event } from './types.ts';

type EventRecord = typeof Event.$inferType;

/**
 * A page of events with their authors, and the number of all. One statement returns JSON in the
 * shape Prisma would give (docs/adr/0013).
 */
export function eventPage(ctx: Pick<Context, 'db'>, listing: Listing): Page<EventRecord> {
  const reader = readerOf(ctx, listing);
  return {
    nodes: async (query, selected) =>
      isCovered(query)
        ? (await reader.rows<Row>(columnsFor(selected('author')))).map(withAllDates)
        : recordsOn(ctx, reader, 'event', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

/** Whether a document selects only the author's own columns. */
const isCovered = ({ include = {}, select }: { include?: object; select?: object }): boolean =>
  select === undefined &&
  Object.entries(include).every(([name, below]) => name === 'author' && below === true);

const eventColumns = columnsOf('events', Object.keys(Prisma.EventScalarFieldEnum));

const statements = new Map<string, Prisma.Sql>();

function columnsFor(authorFields: ReadonlySet<string>): Prisma.Sql {
  const authorColumns = userColumnsFor(authorFields);
  const existing = statements.get(authorColumns);
  if (existing) return existing;
  const statement = Prisma.raw(`${eventColumns}, (SELECT row_to_json(selected) FROM (
    SELECT ${authorColumns} FROM users WHERE users.id = events.author_id) selected) AS author`);
  statements.set(authorColumns, statement);
  return statement;
}

type Row = EventRecord & { readonly author: object };

function withAllDates(row: Row): EventRecord {
  withDates(row.author);
  return withDates(row);
}
