import DataLoader from 'dataloader';
import { type Database, Prisma } from '../../prisma/client.ts';
import { modelByTable, tableOf } from '../../prisma/data-model.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { isAmong } from '../kernel/sql.ts';
import type { Listing } from './listing.ts';
import type { Page } from './page.ts';
import { idsOn, readerOf, rowsById } from './reader.ts';
import { jsonRecords } from './record-shape.ts';

type Caller = Pick<Context, 'db' | 'viewer'>;

/** A Prisma model as the client names it, e.g. `mergeRequest`. */
export type Model = Uncapitalize<Prisma.ModelName>;

/** `MergeRequest` → `mergeRequest`. */
export const clientNameOf = (model: string): Model =>
  (model.charAt(0).toLowerCase() + model.slice(1)) as Model;

/** `mergeRequest` → `MergeRequest`. */
const modelNameOf = (model: Model): Prisma.ModelName =>
  (model.charAt(0).toUpperCase() + model.slice(1)) as Prisma.ModelName;

/** A record as Prisma returns it for a selection; with all its columns if there is none. */
export type RecordOf<Name extends Model, Query = object> = Prisma.Result<
  Database[Name],
  Query,
  'findUniqueOrThrow'
>;

interface Row {
  readonly id: number;
}

interface Read {
  readonly model: Model;
  /** Prisma's `select` or `include`. */
  readonly query: object;
  readonly ids: readonly number[];
}

const loaders = new WeakMap<Caller, DataLoader<Read, readonly Row[]>>();

/** Reads records that are requested together, with the same selection, in one statement. */
function loaderOf(ctx: Caller): DataLoader<Read, readonly Row[]> {
  const existing = loaders.get(ctx);
  if (existing) return existing;
  const loader = new DataLoader<Read, readonly Row[]>((reads) => readTogether(ctx, reads), {
    cache: false,
  });
  loaders.set(ctx, loader);
  return loader;
}

async function readTogether(ctx: Caller, reads: readonly Read[]): Promise<Row[][]> {
  const groups = Map.groupBy(reads, ({ model, query }) => `${model} ${JSON.stringify(query)}`);
  const rows = new Map<Read, Row[]>();
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const [{ model, query }] = group as [Read];
      const ids = [...new Set(group.flatMap((read) => read.ids))];
      // a record deleted in between is left out
      const inOrderOf = rowsById(await rowsWith(ctx, { model, query, ids }));
      for (const read of group) rows.set(read, inOrderOf(read.ids));
    }),
  );
  return reads.map((read) => rows.get(read) ?? []);
}

/** Reads the rows as JSON, or by Prisma if JSON cannot hold a value. */
async function rowsWith(ctx: Caller, { model, query, ids }: Read): Promise<readonly Row[]> {
  const condition = isAmong(Prisma.raw('id'), ids);
  const rows = await readAsJson<Row>(ctx, { model, query, condition });
  if (rows) return rows;
  const client = ctx.db[model] as unknown as {
    readonly findMany: (args: object) => Promise<Row[]>;
  };
  return client.findMany({
    ...query,
    relationLoadStrategy: 'join',
    where: { id: { in: [...ids] } },
  });
}

/** Which records are read, and how. */
interface RecordSelection<Name extends Model, Query extends object> {
  readonly model: Name;
  /** Prisma's `select` or `include`. */
  readonly query: Query;
  /** On the columns of the model's table. */
  readonly condition: Prisma.Sql;
}

/**
 * The records that meet a condition, in the shape that Prisma returns; null if JSON cannot hold a
 * value. They are read as one JSON text, as a listing is (docs/adr/0013): half the processor time of
 * Prisma's `findMany`.
 */
async function readAsJson<Record extends object>(
  { db, viewer }: Caller,
  { model, query, condition }: RecordSelection<Model, object>,
): Promise<Record[] | null> {
  const modelName = modelNameOf(model);
  const table = tableOf(modelName);
  const records = jsonRecords(modelName, table, query, viewer);
  if (!records) return null;
  const [read] = await db.$queryRaw<[{ rows: string }]>`
    SELECT coalesce(json_agg(selected), '[]')::text AS rows FROM (
      SELECT ${records.columns} FROM ${Prisma.raw(table)} WHERE ${condition}) selected`;
  return (JSON.parse(read.rows) as Record[]).map(records.revived);
}

/**
 * The records with these ids in their order, without deleted ones; `query` is Prisma's selection.
 * Those that rows of an operation request together are read in one statement.
 */
export async function recordsById<Name extends Model>(
  ctx: Caller,
  model: Name,
  ids: readonly number[],
  query: object,
): Promise<RecordOf<Name>[]> {
  // Pothos reports a query that is never read, also if there is nothing to select
  const selection = { ...query };
  if (ids.length === 0) return [];
  return (await loaderOf(ctx).load({ model, query: selection, ids })) as RecordOf<Name>[];
}

/** The same for one record; null if it was deleted. */
export async function recordById<Name extends Model>(
  ctx: Caller,
  model: Name,
  id: number,
  query: object,
): Promise<RecordOf<Name> | null> {
  const [record = null] = await recordsById(ctx, model, [id], query);
  return record;
}

/** The same for a record that must exist, such as one that a mutation changed; else `not found`. */
export async function storedRecord<Name extends Model>(
  ctx: Caller,
  model: Name,
  id: number,
  query: object,
): Promise<RecordOf<Name>> {
  const record = await recordById(ctx, model, id, query);
  if (!record) throw recordNotFound();
  return record;
}

/** The record that meets a condition, which at most one does; null if there is none. */
export async function findRecord<Name extends Model, Query extends object>(
  ctx: Caller,
  { model, query, condition }: RecordSelection<Name, Query>,
): Promise<RecordOf<Name, Query> | null> {
  // Pothos reports a query that is never read
  const selection = { ...query };
  const selected = { model, query: selection, condition };
  const records = await readAsJson<RecordOf<Name, Query> & object>(ctx, selected);
  if (records) return records[0] ?? null;
  const table = Prisma.raw(tableOf(modelNameOf(model)));
  const [row] = await ctx.db.$queryRaw<Row[]>`SELECT id FROM ${table} WHERE ${condition}`;
  const record = row && (await recordById(ctx, model, row.id, selection));
  return (record ?? null) as RecordOf<Name, Query> | null;
}

/**
 * A page of the records of a listing, with the columns and relations that the document selects.
 * PostgreSQL returns them with the page as JSON (docs/adr/0013). Only if JSON cannot hold a value,
 * Prisma reads them, in one statement for all pages that are requested together.
 */
export function pageOfRecords<Record extends Row>(
  ctx: Pick<Context, 'db' | 'viewer'>,
  listing: Listing,
): Page<Record> {
  const { table } = listing;
  const model = modelByTable.get(table) ?? table;
  const reader = readerOf(ctx, listing);
  const nodes: Page<Record>['nodes'] = async (query, info, options) => {
    // Pothos reports a query that is never read
    const selection = { ...query };
    const records = jsonRecords(model, table, selection, ctx.viewer, { info, ...options });
    if (records) return (await reader.rows<Record>(records.columns)).map(records.revived);
    const ids = await idsOn(reader);
    return (await recordsById(ctx, clientNameOf(model), ids, selection)) as unknown[] as Record[];
  };
  return { nodes, total: reader.total, pageInfo: reader.pageInfo };
}
