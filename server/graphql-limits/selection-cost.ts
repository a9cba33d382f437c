import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type VariableValues,
} from 'graphql';

interface Complexity {
  readonly field?: number;
  readonly multiplier?: number;
}

/** Pothos' option: a cost, or a function of the arguments. */
type ComplexityOption =
  | number
  | Complexity
  | ((args: object, context: object, field: object) => number | Complexity);

/** The cost of a field without one of its own, and the rows of a list that does not say how many. */
const usualField = 1;
const usualRows = 10;

export interface SelectionCost {
  readonly cost: number;
  /** Levels of fields below each other. */
  readonly depth: number;
}

interface CostParts {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: VariableValues;
  readonly context: object;
}

/** The fields of a page that have a row for each record; all others have one value per page. */
const rowFields: ReadonlySet<string> = new Set(['nodes', 'edges']);

/**
 * The cost of a selection. Fields declare their own by Pothos' option `complexity`: what they cost
 * once, and by how many rows they multiply what is selected below. The rows of a page multiply its
 * `nodes` and `edges` only, because its total is counted once; Pothos' own function would multiply
 * the total, too.
 */
export function selectionCost(
  root: SelectionSetNode,
  rootType: GraphQLCompositeType,
  { schema, fragments, variables, context }: CostParts,
): SelectionCost {
  /** A fragment is charged once per type and rows, however often it is spread. */
  const results = new Map<SelectionSetNode, Map<string, SelectionCost>>();

  const ofSelections = (
    set: SelectionSetNode,
    type: GraphQLCompositeType,
    rows: number,
  ): SelectionCost => {
    const costs = results.get(set) ?? new Map<string, SelectionCost>();
    results.set(set, costs);
    const key = `${type.name} ${rows}`;
    const existing = costs.get(key);
    if (existing) return existing;
    let cost = 0;
    let depth = 0;
    for (const selection of set.selections) {
      const part =
        selection.kind === Kind.FIELD
          ? ofField(selection, type, rows)
          : ofFragment(
              selection.kind === Kind.INLINE_FRAGMENT
                ? selection
                : fragments.get(selection.name.value),
              type,
              rows,
            );
      cost += part.cost;
      depth = Math.max(depth, part.depth);
    }
    const result = { cost, depth };
    costs.set(key, result);
    return result;
  };

  const ofFragment = (
    fragment: FragmentDefinitionNode | InlineFragmentNode | undefined,
    type: GraphQLCompositeType,
    rows: number,
  ): SelectionCost => {
    if (!fragment) return none;
    const named = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
    return ofSelections(fragment.selectionSet, isCompositeType(named) ? named : type, rows);
  };

  const ofField = (node: FieldNode, type: GraphQLCompositeType, rows: number): SelectionCost => {
    const field = fieldOf(type, node.name.value);
    // introspection has a cost of its own
    if (!field) return { cost: usualField, depth: 1 };
    const { field: own = usualField, multiplier } = complexityOf(field, node);
    const named = getNamedType(field.type);
    const isPage = isPageType(named);
    const isRows = isPageType(type) && rowFields.has(node.name.value);
    const times = isRows
      ? rows
      : (multiplier ?? (isListType(getNullableType(field.type)) ? usualRows : 1));
    if (!node.selectionSet || !isCompositeType(named)) return { cost: own, depth: 1 };
    const below = ofSelections(node.selectionSet, named, isPage ? times : 1);
    return { cost: own + (isPage ? 1 : times) * below.cost, depth: 1 + below.depth };
  };

  const complexityOf = (field: GraphQLField<unknown, unknown>, node: FieldNode): Complexity => {
    const option = field.extensions.complexity as ComplexityOption | undefined;
    const complexity =
      typeof option === 'function' ? option(argumentsOf(field, node), context, field) : option;
    return typeof complexity === 'number' ? { field: complexity } : (complexity ?? {});
  };

  const argumentsOf = (field: GraphQLField<unknown, unknown>, node: FieldNode): object => {
    try {
      return getArgumentValues(field, node, variables);
    } catch {
      // the executor reports the argument
      return {};
    }
  };

  return ofSelections(root, rootType, 1);
}

const none: SelectionCost = { cost: 0, depth: 0 };

const fieldOf = (type: GraphQLCompositeType, name: string) =>
  'getFields' in type ? type.getFields()[name] : undefined;

/** Whether a type is a page of a listing: `nodes` with other fields beside it. */
const isPageType = (type: unknown): boolean =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Page');
