import type { Database, Prisma } from '../../prisma/client.ts';
import { batched } from './batched.ts';
import type { Context } from './context.ts';
import { delegatedAccess, recordNotFound } from './errors.ts';
import type { RecordArgument } from './public.ts';
import { orThrow } from './results.ts';

/**
 * Loads the record with this id, with the selection of the document as Prisma's `select` or
 * `include`. Throws NOT_FOUND, FORBIDDEN or UNAUTHENTICATED if the viewer may not see it; `node`
 * reports all of them as the same error.
 */
export type NodeLoader = (query: object, id: number, ctx: Context) => Promise<object>;

const loaders = new Map<string, NodeLoader>();

/** Makes records of a type available as `node(id:)`; the type then has the interface `Node`. */
export function defineNode(typeName: string, load: NodeLoader): void {
  loaders.set(typeName, load);
}

/** The loader of a type; absent if its records cannot be found by their id alone. */
export const nodeLoader = (typeName: string): NodeLoader | undefined => loaders.get(typeName);

type ModelName = Uncapitalize<Prisma.ModelName>;

/** A record with the columns of `select`. */
type Selected<Model extends ModelName, Selection> = Prisma.Result<
  Database[Model],
  { select: Selection },
  'findFirstOrThrow'
>;

interface WithId {
  readonly id: true;
}

interface RecordOptions<Model extends ModelName, Selection> {
  readonly model: Model;
  /** The columns and parents that `check` reads. The records of all ids are read together. */
  readonly select: (ctx: Context) => Selection;
  /** Throws NOT_FOUND, FORBIDDEN or UNAUTHENTICATED unless the viewer may see the record. */
  readonly check: (record: Selected<Model, Selection>, ctx: Context) => unknown;
  /** Reads what the document selects; by default the row of the model. */
  readonly load?: (
    query: object,
    record: Selected<Model, Selection>,
    ctx: Context,
  ) => Promise<object | null>;
  /** Rejects OAuth access tokens, as the fields that show the type do. */
  readonly inPerson?: true;
}

/** A record that the viewer may see, by its id; throws otherwise. */
export interface RecordType<Record> {
  readonly typeName: string;
  readonly find: (id: number, ctx: Context) => Promise<Record>;
}

/**
 * Defines a node whose visibility follows from its parents: they are read with it in one statement,
 * `check` decides, and then the record is read.
 */
export function defineRecord<Model extends ModelName, Selection extends WithId>(
  typeName: string,
  { model, select, check, load, inPerson }: RecordOptions<Model, Selection>,
): RecordType<Selected<Model, Selection>> {
  type Row = Selected<Model, Selection>;
  const read = batched<number, Row | null>(async (ids, ctx) => {
    const rows = await operationsOf(ctx, model).findMany({
      relationLoadStrategy: 'join',
      where: { id: { in: [...ids] } },
      select: select(ctx),
    });
    return new Map(rows.map((row) => [row.id, row as unknown as Row]));
  }, null);
  const find = async (id: number, ctx: Context) => {
    if (inPerson && ctx.request.isDelegated) throw delegatedAccess();
    const record = await orThrow(read(id, ctx), recordNotFound);
    await check(record, ctx);
    return record;
  };
  const readRow: NonNullable<typeof load> = (query, record, ctx) =>
    operationsOf(ctx, model).findUnique({
      ...query,
      relationLoadStrategy: 'join',
      where: { id: (record as { readonly id: number }).id },
    });
  defineNode(typeName, async (query, id, ctx) => {
    const record = await find(id, ctx);
    return orThrow((load ?? readRow)(query, record, ctx), recordNotFound);
  });
  return { typeName, find };
}

/** The operations of a model that nodes need; the types of all models have no common one. */
interface Operations {
  readonly findMany: (args: object) => Promise<readonly { readonly id: number }[]>;
  readonly findUnique: (args: object) => Promise<object | null>;
}

const operationsOf = ({ db }: Context, model: ModelName): Operations =>
  db[model] as unknown as Operations;

/** Arguments of the core by their names, as functions of a record. */
type Derived<Record> = Readonly<globalThis.Record<string, (record: Record) => unknown>>;

/**
 * The `extensions` of a field whose arguments `derived` follow from a record: the public schema has
 * one argument `name` in place of them.
 */
export const byRecord = <Record>(
  { typeName, find }: RecordType<Record>,
  derived: Derived<Record>,
  name = 'id',
): { readonly record: RecordArgument } => ({
  record: {
    name,
    replaces: Object.keys(derived),
    types: {
      [typeName]: async (id, ctx) => {
        const record = await find(id, ctx as Context);
        return Object.fromEntries(
          Object.entries(derived).map(([argument, of]) => [argument, of(record)]),
        );
      },
    },
  },
});

/** The same for records of several types, of which the argument `name` identifies one. */
export const byOneOf = (
  name: string,
  alternatives: readonly { readonly record: RecordArgument }[],
): { readonly record: RecordArgument } => ({
  record: {
    name,
    replaces: [...new Set(alternatives.flatMap(({ record }) => record.replaces))],
    types: Object.assign({}, ...alternatives.map(({ record }) => record.types)),
  },
});
