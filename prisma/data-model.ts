import { getDatamodel } from './generated/pothos.ts';

/** Prisma's data model, as Pothos uses it. */
export const dataModel = getDatamodel();

/** A field of a model that is a column. */
export interface Column {
  readonly name: string;
  /** A scalar type of Prisma, e.g. `DateTime`, or the name of an enum. */
  readonly type: string;
  readonly isList: boolean;
}

/** The columns of each model. */
export const columnsByModel: ReadonlyMap<string, readonly Column[]> = new Map(
  Object.entries(dataModel.datamodel.models).map(([name, { fields }]) => [
    name,
    fields.filter(({ kind }) => kind !== 'object'),
  ]),
);
