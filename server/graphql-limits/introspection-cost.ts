import {
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/**
 * Introspection values that cost as much as one field; they are in memory. GraphiQL's query
 * costs two fifths of a document's budget.
 */
const valuesPerUnit = 4;

/** How many rows the lists of introspection have, by their names. */
type Rows = Readonly<Record<string, number>>;

interface TypeRows {
  /** Of all types, which `__schema` lists. */
  readonly average: Rows;
  /** Of the type with the most fields, which `__type` can name. */
  readonly largest: Rows;
}

const rowsOfSchemas = new WeakMap<GraphQLSchema, TypeRows>();

function rowsOf(schema: GraphQLSchema): TypeRows {
  const existing = rowsOfSchemas.get(schema);
  if (existing) return existing;
  const types = Object.values(schema.getTypeMap());
  const fields = types.filter(isObjectType).map((type) => Object.values(type.getFields()));
  const inputs = types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()));
  const enums = types.filter(isEnumType).map((type) => type.getValues());
  const [largest = []] = fields.toSorted((a, b) => b.length - a.length);
  const perType = (lists: readonly (readonly unknown[])[]) => lists.flat().length / types.length;
  const argsOf = (of: readonly GraphQLField<unknown, unknown>[]) =>
    of.flatMap(({ args }) => args).length / of.length;
  const average = {
    types: types.length,
    directives: schema.getDirectives().length,
    fields: perType(fields),
    inputFields: perType(inputs),
    enumValues: perType(enums),
    args: argsOf(fields.flat()),
    // most types wrap no other
    ofType: 0.4,
  };
  const most = (lists: readonly (readonly unknown[])[]) =>
    Math.max(...lists.map(({ length }) => length));
  const rows = {
    average,
    largest: {
      ...average,
      fields: largest.length,
      args: argsOf(largest),
      inputFields: most(inputs),
      enumValues: most(enums),
    },
  };
  rowsOfSchemas.set(schema, rows);
  return rows;
}

/** The cost of the introspection in an operation. */
export function introspectionCost(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  operation: SelectionSetNode,
): number {
  const { average, largest } = rowsOf(schema);
  const cached = new Map<Rows, Map<SelectionSetNode, number>>([
    [average, new Map()],
    [largest, new Map()],
  ]);

  /** Values that a selection shows of one row. */
  const valuesIn = (set: SelectionSetNode, rows: Rows): number => {
    const before = cached.get(rows)?.get(set);
    if (before !== undefined) return before;
    let values = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const { value: name } = selection.name;
        const below = selection.selectionSet ? valuesIn(selection.selectionSet, rows) : 0;
        values += 1 + (rows[name] ?? 1) * below;
      } else values += valuesIn(setOf(selection), rows);
    }
    cached.get(rows)?.set(set, values);
    return values;
  };

  type Spread = Exclude<SelectionSetNode['selections'][number], { kind: Kind.FIELD }>;
  const setOf = (spread: Spread): SelectionSetNode =>
    spread.kind === Kind.INLINE_FRAGMENT
      ? spread.selectionSet
      : (fragments.get(spread.name.value)?.selectionSet ?? none);

  /** `__schema` and `__type` occur at the root, or in a fragment there. */
  const roots: Readonly<Record<string, Rows>> = { __schema: average, __type: largest };
  const seen = new Map<SelectionSetNode, number>();
  const valuesAt = (set: SelectionSetNode): number => {
    const before = seen.get(set);
    if (before !== undefined) return before;
    let values = 0;
    for (const selection of set.selections) {
      if (selection.kind !== Kind.FIELD) values += valuesAt(setOf(selection));
      else {
        const rows = roots[selection.name.value];
        if (rows && selection.selectionSet) values += valuesIn(selection.selectionSet, rows);
      }
    }
    seen.set(set, values);
    return values;
  };

  return Math.ceil(valuesAt(operation) / valuesPerUnit);
}

const none: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] };
