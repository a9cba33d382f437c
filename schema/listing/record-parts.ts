import {
  type Column,
  columnsByModel,
  type Relation,
  relationsByModel,
  snakeCase,
  tableOf,
} from '../../prisma/data-model.ts';
import { descriptionOf, shownColumns } from './described.ts';

/** Prisma's selection of a record: all its columns with relations, or a selection of both. */
export interface Selection {
  readonly include?: Readonly<Record<string, Selected>>;
  readonly select?: Readonly<Record<string, Selected>>;
}

type Selected = boolean | (Selection & { readonly orderBy?: object; readonly where?: object });

/** How the JSON of a row differs from what Prisma returns. */
export interface Revival {
  readonly columns: readonly (readonly [string, (value: unknown) => unknown])[];
  readonly relations: readonly (readonly [string, Revival])[];
}

/** The SQL of columns and relations, and how their JSON becomes what Prisma returns. */
export interface Part {
  readonly sql: string;
  readonly revival: Revival;
}

/** Columns by the path of a relation; the record's own by the empty path. */
export type Narrowed = Readonly<Record<string, readonly string[] | null>>;

/** Rows of a model as the table or alias `row`, at the path of relations that leads to them. */
interface Rows {
  readonly model: string;
  readonly row: string;
  readonly path: string;
}

/** Stands in SQL for the id of the current user. */
export const viewerMark = '\0';

/** How JSON differs from Prisma's value of a column; null if it does not. */
function revivalOf({ type, isList }: Column): ((value: unknown) => unknown) | null {
  if (type === 'DateTime') return (value) => (typeof value === 'string' ? new Date(value) : value);
  if (type === 'BigInt') return (value) => (typeof value === 'number' ? BigInt(value) : value);
  // an empty list may be stored as null
  return isList ? (value) => value ?? [] : null;
}

/** The columns and relations of rows; null if JSON cannot hold them. */
export function partOf(
  rows: Rows,
  { include = {}, select }: Selection,
  narrowed: Narrowed,
): Part | null {
  const { model, row, path } = rows;
  const entries = Object.entries(select ?? include).filter(([, below]) => below);
  const relations = relationsByModel.get(model);
  const [related, others] = [true, false].map((isRelation) =>
    entries.filter(([name]) => relations?.has(name) === isRelation),
  ) as [typeof entries, typeof entries];
  const names = select ? others.map(([name]) => name) : (narrowed[path] ?? shownColumns(model));
  const columns = (columnsByModel.get(model) ?? []).filter(({ name }) => names.includes(name));
  const isReadable = columns.every(({ type }) => type !== 'Bytes');
  // such as `_count`
  const isUnknown = columns.length < names.length || (!select && others.length > 0);
  if (!isReadable || isUnknown) return null;
  const parts = related.map(([name, below]) => {
    const relation = relations?.get(name);
    return relation ? relatedPart(rows, relation, below, narrowed) : null;
  });
  if (!parts.every((part) => part !== null)) return null;
  return {
    sql: [
      ...columns.map(({ name }) => `${row}.${snakeCase(name)} AS "${name}"`),
      ...parts.map(({ sql }, place) => `${sql} AS "${related[place]?.[0]}"`),
    ].join(', '),
    revival: {
      columns: columns.flatMap((column) => {
        const revived = revivalOf(column);
        return revived ? [[column.name, revived] as const] : [];
      }),
      relations: parts.map(({ revival }, place) => [related[place]?.[0] ?? '', revival] as const),
    },
  };
}

const supported: ReadonlySet<string> = new Set(['include', 'select', 'where', 'orderBy']);

/** A related row of each of the rows as JSON, or a list of them. */
function relatedPart(
  { model: owner, row: from, path: above }: Rows,
  { name, model, isList, key }: Relation,
  below: Selected,
  narrowed: Narrowed,
): Part | null {
  const selection = typeof below === 'object' ? below : {};
  const condition = selection.where && descriptionOf(owner).conditions?.[name];
  const order = orderOf(selection.orderBy);
  const isCovered = Object.keys(selection).every((option) => supported.has(option));
  if (!isCovered || !order || (selection.where && !condition)) return null;
  const path = above ? `${above}.${name}` : name;
  const row = `related_${path.split('.').length}`;
  const part = partOf({ model, row, path }, selection, narrowed);
  if (!part) return null;
  const conditions = [
    key.isOwn
      ? `${row}.id = ${from}.${snakeCase(key.column)}`
      : `${row}.${snakeCase(key.column)} = ${from}.id`,
    ...(condition ? [condition(row, viewerMark)] : []),
  ];
  const sorted =
    order.length > 0 ? ` ORDER BY ${order.map((by) => `${row}.${by}`).join(', ')}` : '';
  const rows = `SELECT ${part.sql} FROM ${tableOf(model)} ${row} WHERE ${conditions.join(' AND ')}${sorted}`;
  const json = isList ? `coalesce(json_agg(selected), '[]')` : 'row_to_json(selected)';
  return { sql: `(SELECT ${json} FROM (${rows}) selected)`, revival: part.revival };
}

/** An order by columns as SQL; null for another order. */
function orderOf(orderBy: object | undefined): string[] | null {
  const orders = Object.entries(orderBy ?? {});
  return orders.every(([, direction]) => direction === 'asc' || direction === 'desc')
    ? orders.map(([name, direction]) => `${snakeCase(name)} ${direction}`)
    : null;
}
