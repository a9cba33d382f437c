import { type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql';
import { Prisma } from '../../prisma/client.ts';
import { relationsByModel } from '../../prisma/data-model.ts';
import { selectedFields } from '../kernel/selected-fields.ts';
import { descriptionOf, neededColumns } from './described.ts';
import { type Narrowed, partOf, type Revival, type Selection, viewerMark } from './record-parts.ts';

/** A statement for records, without the id of the current user, and their revival. */
interface Shape {
  /** The selected columns and relations as SQL, in parts between which the id stands. */
  readonly texts: readonly Prisma.Sql[];
  readonly revival: Revival;
}

/** The shapes of the documents of facades, and of as many others. */
const maxShapes = 1_000;

const shapes = new Map<string, Shape | null>();

/** The shape of the records `row` of a model, the same for the same selection. */
function shapeOf(model: string, row: string, query: Selection, narrowed: Narrowed): Shape | null {
  const key = JSON.stringify([model, row, query, narrowed], (name, value) =>
    // its values differ by viewer and day, its condition does not
    name === 'where' ? true : value,
  );
  const existing = shapes.get(key);
  if (existing !== undefined) return existing;
  const part = partOf({ model, row, path: '' }, query, narrowed);
  const shape = part && {
    texts: part.sql.split(viewerMark).map((text) => Prisma.raw(text)),
    revival: part.revival,
  };
  if (shapes.size >= maxShapes) shapes.clear();
  shapes.set(key, shape);
  return shape;
}

/** The field that selects the fields of the records, and whether these are read with all columns. */
interface Selecting {
  readonly info: GraphQLResolveInfo;
  /** The type of the records, if the field does not return it. */
  readonly typeName?: string;
  readonly isWhole?: boolean | undefined;
}

/** The columns of the fields that a document selects, where no other field reads the relation. */
function narrowedBy(model: string, { info, typeName, isWhole }: Partial<Selecting>): Narrowed {
  if (!info) return {};
  const type =
    typeName === undefined ? getNamedType(info.returnType) : info.schema.getType(typeName);
  if (!isObjectType(type)) return {};
  const { readBy = {} } = descriptionOf(model);
  return {
    '': isWhole ? null : neededColumns(model, type, selectedFields(info)),
    ...Object.fromEntries(
      Object.entries(readBy).map(([path, field]) => [
        path,
        neededColumns(
          modelAt(model, path),
          getNamedType(type.getFields()[field]?.type),
          selectedFields(info, field),
        ),
      ]),
    ),
  };
}

const modelAt = (model: string, path: string): string =>
  path
    .split('.')
    .reduce((owner, name) => relationsByModel.get(owner)?.get(name)?.model ?? '', model);

/** Records as a statement reads them. */
export interface JsonRecords {
  readonly columns: Prisma.Sql;
  /** Gives a row that was read as JSON the shape that Prisma returns. */
  readonly revived: <Row extends object>(row: Row) => Row;
}

/**
 * The columns and relations of the rows `row` of a Prisma model that `query`, Prisma's selection,
 * reads; null if JSON cannot hold them. Columns that no selected field needs are left out, if the
 * fields are known.
 */
export function jsonRecords(
  model: string,
  row: string,
  query: object,
  viewer: { readonly id: number } | null,
  selecting: Partial<Selecting> = {},
): JsonRecords | null {
  const shape = shapeOf(model, row, query, narrowedBy(model, selecting));
  if (!shape) return null;
  const { texts, revival } = shape;
  const viewerId = Prisma.sql`${viewer?.id ?? 0}::int`;
  const columns = texts.flatMap((text, place) => (place === 0 ? [text] : [viewerId, text]));
  return {
    columns: columns.length === 1 && columns[0] ? columns[0] : Prisma.join(columns, ''),
    revived: (record) => {
      revive(record, revival);
      return record;
    },
  };
}

/** All columns of the rows `row` of a model of which JSON can hold every column. */
export function wholeRecords(model: string, row: string): JsonRecords {
  const records = jsonRecords(model, row, {}, null);
  if (!records) throw new Error(`JSON cannot hold all columns of ${model}.`);
  return records;
}

function revive(record: object, { columns, relations }: Revival): void {
  const values = record as { [name: string]: unknown };
  for (const [name, convert] of columns) values[name] = convert(values[name]);
  for (const [name, revival] of relations) {
    const related = values[name];
    if (Array.isArray(related)) for (const row of related) revive(row as object, revival);
    else if (related) revive(related, revival);
  }
}
