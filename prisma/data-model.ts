import { readdirSync, readFileSync } from 'node:fs';
import { getDatamodel } from './generated/pothos.ts';

/** Prisma's data model, as Pothos uses it. */
export const dataModel = getDatamodel();

/** A field of a model that is a column. */
export interface Column {
  readonly name: string;
  /** A scalar type of Prisma, e.g. `DateTime`, or the name of an enum. */
  readonly type: string;
  readonly isList: boolean;
  /** Whether the column is never null. */
  readonly isRequired: boolean;
}

const models = Object.entries(dataModel.datamodel.models);

/** The columns of each model, e.g. `AwardEmoji`. */
export const columnsByModel: ReadonlyMap<string, readonly Column[]> = new Map(
  models.map(([name, { fields }]) => [name, fields.filter(({ kind }) => kind !== 'object')]),
);

/** A field of a model that leads to rows of another. */
export interface Relation {
  readonly name: string;
  /** The model of the related rows. */
  readonly model: string;
  readonly isList: boolean;
  /** The column with the id: of the related row, or in the related rows that of this row. */
  readonly key: { readonly isOwn: boolean; readonly column: string };
}

/** The relations of each model. Every foreign key is one column that refers to an `id`. */
export const relationsByModel: ReadonlyMap<string, ReadonlyMap<string, Relation>> = new Map(
  models.map(([owner, { fields }]) => [
    owner,
    new Map(
      fields.flatMap(({ kind, name, type, isList, relationName, relationFromFields }) => {
        const own = relationFromFields?.[0];
        const opposite = dataModel.datamodel.models[type]?.fields.find(
          (field) => field.relationName === relationName && field.relationFromFields?.[0],
        );
        const column = own ?? opposite?.relationFromFields?.[0];
        return kind === 'object' && column
          ? [[name, { name, model: type, isList, key: { isOwn: own !== undefined, column } }]]
          : [];
      }),
    ),
  ]),
);

/** `createdAt` → `created_at`. */
export const snakeCase = (name: string) =>
  name.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

const schemaFolder = new URL('models/', import.meta.url);

/**
 * The `@@map` of each model. Read from the schema files: the data model of Pothos has no names of
 * tables, and Prisma's generated client has them in internal files only.
 */
const tables: ReadonlyMap<string, string> = new Map(
  readdirSync(schemaFolder)
    .flatMap((file) => readFileSync(new URL(file, schemaFolder), 'utf8').split(/^(?=\w)/m))
    .flatMap((block) => {
      const model = /^model (\w+)/.exec(block)?.[1];
      const table = /^ {2}@@map\("(\w+)"\)/m.exec(block)?.[1];
      return model && table ? [[model, table] as const] : [];
    }),
);

/** The table of a model: `AwardEmoji` → `award_emojis`. */
export const tableOf = (model: string): string => tables.get(model) ?? model;

/** The model of each table. */
export const modelByTable: ReadonlyMap<string, string> = new Map(
  models.map(([model]) => [tableOf(model), model]),
);

/** The columns of each table by their names there. */
export const columnsByTable: ReadonlyMap<string, ReadonlyMap<string, Column>> = new Map(
  [...columnsByModel].map(([model, columns]) => [
    tableOf(model),
    new Map(columns.map((column) => [snakeCase(column.name), column])),
  ]),
);
