import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { columnsOf, withDates } from '../kernel/json-rows.ts';
import { idsOn, inOrder, type Listing, readerOf } from '../kernel/listing.ts';
import type { Page } from '../kernel/page.ts';
import { userColumnsFor } from '../users/rows.ts';
import type { Event } from './types.ts';

type EventRecord = typeof Event.$inferType;

/**
 * A page of events with their authors, and the number of all. One statement returns JSON in the
 * shape Prisma would give (docs/adr/0013).
 */
export function eventPage({ db }: Pick<Context, 'db'>, listing: Listing): Page<EventRecord> {
  const reader = readerOf(db, listing);
  return {
    nodes: async (query, asked) =>
      isCovered(query)
        ? (await reader.rows<Row>(columnsFor(asked('author')))).map(revived)
        : inOrder(await idsOn(reader), (where) =>
            db.event.findMany({ ...query, relationLoadStrategy: 'join', where }),
          ),
    total: reader.total,
  };
}

/** Whether a document selects only the author's own columns. */
const isCovered = ({ include = {}, select }: { include?: object; select?: object }): boolean =>
  select === undefined &&
  Object.entries(include).every(([name, below]) => name === 'author' && below === true);

const eventColumns = columnsOf('events', Object.keys(Prisma.EventScalarFieldEnum));

const statements = new Map<string, Prisma.Sql>();

function columnsFor(askedOfAuthor: ReadonlySet<string>): Prisma.Sql {
  const people = userColumnsFor(askedOfAuthor);
  const known = statements.get(people);
  if (known) return known;
  const made = Prisma.raw(`${eventColumns}, (SELECT row_to_json(found) FROM (
    SELECT ${people} FROM users WHERE users.id = events.author_id) found) AS author`);
  statements.set(people, made);
  return made;
}

type Row = EventRecord & { readonly author: object };

function revived(row: Row): EventRecord {
  withDates(row.author);
  return withDates(row);
}
