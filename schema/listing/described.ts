import { type GraphQLType, isObjectType } from 'graphql';
import { type Column, columnsByModel } from '../../prisma/data-model.ts';

/** What cannot be derived from the data model about the rows of a model. */
interface ModelDescription {
  /** The columns that a field without a column of its name is computed from. */
  readonly computed?: Readonly<Record<string, readonly string[]>>;
  /**
   * The relations that only one field reads, with its name: they are read with the columns of the
   * fields selected below it. `assignees.user` is the relation `user` of the rows of `assignees`.
   */
  readonly readBy?: Readonly<Record<string, string>>;
  /** Columns that no field shows, such as long texts. */
  readonly unshown?: readonly string[];
  /**
   * The rows of a relation to many that are read, as conditions in SQL: for relations that Prisma
   * would read with a `where`.
   */
  readonly conditions?: Readonly<Record<string, RelationCondition>>;
}

/** A condition on the rows of the table `row`; `viewerId` is the id of the current user, or 0. */
export type RelationCondition = (row: string, viewerId: string) => string;

const descriptions = new Map<string, ModelDescription>();

/** Describes the rows of a Prisma model, e.g. `Project`, before any are read. */
export const describeModel = (model: string, description: ModelDescription): void => {
  descriptions.set(model, description);
};

const nothing: ModelDescription = {};

export const descriptionOf = (model: string): ModelDescription =>
  descriptions.get(model) ?? nothing;

/** Digests of secrets are compared, never shown. */
const isSecret = ({ name }: Column) => name.toLowerCase().endsWith('digest');

const shown = new Map<string, readonly string[]>();

/** The columns of a model that are read if nothing is known of the fields. */
export function shownColumns(model: string): readonly string[] {
  const existing = shown.get(model);
  if (existing) return existing;
  const { unshown = [] } = descriptionOf(model);
  const columns = (columnsByModel.get(model) ?? [])
    .filter((column) => !isSecret(column) && !unshown.includes(column.name))
    .map(({ name }) => name);
  shown.set(model, columns);
  return columns;
}

/** The columns of a model that these fields of its GraphQL type need; null for all. */
export function neededColumns(
  model: string,
  type: GraphQLType | undefined,
  selected: Iterable<string>,
): readonly string[] | null {
  if (!isObjectType(type)) return null;
  const fields = type.getFields();
  const { computed = {} } = descriptionOf(model);
  const needed = new Set(['id']);
  for (const name of selected) {
    if (name === '__typename') continue;
    const columns = computed[name] ?? columnsIn(fields[name]?.extensions ?? {});
    if (columns === null) return null;
    for (const column of columns) needed.add(column);
  }
  return shownColumns(model).filter((name) => needed.has(name));
}

interface FieldExtensions {
  readonly pothosExposedField?: string;
  readonly pothosPrismaRelationField?: object;
  readonly pothosPrismaSelect?: unknown;
}

/** The columns that a field declares, as Pothos keeps them; null if it may use any. */
function columnsIn(extensions: FieldExtensions): readonly string[] | null {
  const { pothosExposedField, pothosPrismaRelationField, pothosPrismaSelect } = extensions;
  if (pothosExposedField !== undefined) return [pothosExposedField];
  // the relation is read itself
  if (pothosPrismaRelationField) return [];
  return typeof pothosPrismaSelect === 'object' && pothosPrismaSelect !== null
    ? Object.keys(pothosPrismaSelect)
    : null;
}
