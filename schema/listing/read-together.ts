import DataLoader from 'dataloader';
import { type Database, Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import type { Parent } from './listing.ts';
import { readWithValue, type ValueColumns } from './remembered.ts';
import {
  type ListingResult,
  matchingRows,
  type Read,
  selectionOf,
  type TotalOrIds,
} from './statement.ts';

type Caller = Pick<Context, 'db'>;

/** Reads a listing in a statement of its own. */
export async function readListing(db: Database, read: Read): Promise<ListingResult> {
  const { parent } = read.listing;
  const condition = parent ? conditionOf(parent) : Prisma.empty;
  const run = async (total?: ValueColumns<TotalOrIds | null>) => {
    const { with: once, columns } = selectionOf(read, condition, total);
    const [result] = await db.$queryRaw<[ListingResult]>`${once} SELECT ${columns}`;
    return result;
  };
  if (!read.selection.total) return run();
  return readWithValue(db, { as: 'total', source: matchingRows(read.listing, condition) }, run);
}

/** One parent's id is a value, for which PostgreSQL plans as for a listing without a parent. */
const conditionOf = ({ id, value = '', condition }: Parent): Prisma.Sql =>
  Prisma.sql`${condition(Prisma.sql`${id}`, Prisma.sql`${value}`)} AND`;

/** The listings of parents that one operation reads together. */
const readers = new WeakMap<Caller, DataLoader<Read, ListingResult>>();

/** Reads listings that are requested together, each with a parent. */
export function readersOf(ctx: Caller): DataLoader<Read, ListingResult> {
  const existing = readers.get(ctx);
  if (existing) return existing;
  const loader = new DataLoader<Read, ListingResult>((reads) => readTogether(ctx.db, reads), {
    cache: false,
  });
  readers.set(ctx, loader);
  return loader;
}

/** The listing of several parents that is the same for each. */
interface Group extends Read {
  readonly parent: Parent;
  /** The positions of its parents among all reads. */
  readonly places: number[];
  readonly ids: (number | string)[];
  readonly values: string[];
}

interface PlacedResult extends ListingResult {
  readonly place: number;
}

/** Reads the listings of many parents in one statement for each table. */
async function readTogether(db: Database, reads: readonly Read[]): Promise<ListingResult[]> {
  const [first] = reads;
  if (first && reads.length === 1) return [await readListing(db, first)];
  const tables = new Map<string, Map<string, Group>>();
  for (const [place, read] of reads.entries()) {
    const { parent, table } = read.listing;
    if (!parent) throw new Error('Only listings of a parent are read together.');
    const key = keyOf(read, parent);
    const groups = tables.get(table) ?? new Map<string, Group>();
    tables.set(table, groups);
    const group = groups.get(key) ?? { ...read, parent, places: [], ids: [], values: [] };
    group.places.push(place);
    group.ids.push(parent.id);
    group.values.push(parent.value ?? '');
    groups.set(key, group);
  }
  const results: ListingResult[] = [];
  await Promise.all(
    [...tables.values()].map(async (groups) => {
      const statement = Prisma.join([...groups.values()].map(statementOf), ' UNION ALL ');
      for (const { place, ...result } of await db.$queryRaw<PlacedResult[]>`${statement}`) {
        results[place] = result;
      }
    }),
  );
  return results;
}

/** Equal for listings that differ in nothing but the parent's id. */
function keyOf({ listing, selection }: Read, parent: Parent): string {
  const { where, beside, column, ignoresCase, isSearch, direction, order, page } = listing;
  const { columns, total, pageInfo } = selection;
  const condition = parent.condition(parentId, parentValue);
  return JSON.stringify([
    [condition.sql, condition.values, typeof parent.id],
    [column, ignoresCase, isSearch, direction, order, page],
    [where.sql, where.values, beside?.sql, beside?.values],
    [columns?.sql, columns?.values, total, pageInfo],
  ]);
}

const parentId = Prisma.raw('edge_parent.id');
const parentValue = Prisma.raw('edge_parent.value');

function statementOf({ parent, places, ids, values, ...read }: Group): Prisma.Sql {
  if (ids.length === 1) {
    const { with: once, columns } = selectionOf(read, conditionOf(parent));
    return Prisma.sql`(${once} SELECT ${places[0]}::int AS place, ${columns})`;
  }
  const condition = Prisma.sql`${parent.condition(parentId, parentValue)} AND`;
  const type = Prisma.raw(typeof parent.id === 'string' ? 'text[]' : 'int[]');
  const listing = { ...read.listing, isSearch: false };
  const { columns } = selectionOf({ ...read, listing }, condition);
  return Prisma.sql`(SELECT edge_parent.place, ${columns}
    FROM unnest(${ids}::${type}, ${places}::int[], ${values}::text[])
      AS edge_parent(id, place, value))`;
}
