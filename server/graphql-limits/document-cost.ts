import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
} from 'graphql';
import { documentBudget } from '../../schema/kernel/cost.ts';
import { introspectionCost } from './introspection-cost.ts';
import { refusedDocument } from './refused-document.ts';
import { selectionCost } from './selection-cost.ts';

/** Levels of fields below each other. */
const deepest = 12;

/** The longest list among the variables, and their deepest nesting. */
const longestList = 1_000;
const deepestVariables = 20;

export interface Execution {
  readonly schema: GraphQLSchema;
  /** Valid by the schema. */
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: object;
}

/** The cost of an operation, as far as it can be executed; throws a refusal that names a limit. */
export function checkCost(
  { schema, document, operationName, variables, context }: Execution,
  budget = documentBudget,
): number | null {
  checkLists(variables);
  const operation = getOperationAST(document, operationName);
  // the executor reports the error
  if (!operation) return null;
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  const { variableValues } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variables,
  );
  const rootType = schema.getRootType(operation.operation);
  // the executor reports invalid variables
  if (!variableValues || !rootType) return null;
  const { cost: fields, depth } = selectionCost(operation.selectionSet, rootType, {
    schema,
    fragments,
    variables: variableValues,
    context,
  });
  const cost = fields + introspectionCost(schema, fragments, operation.selectionSet);
  if (depth > deepest) {
    throw refusedDocument(
      `The document has a depth of ${depth}, more than the limit of ${deepest}`,
    );
  }
  if (cost > budget) {
    throw refusedDocument(`The document costs ${cost}, more than the limit of ${budget}`, {
      cost,
      limit: budget,
    });
  }
  return cost;
}

/** The body reader limits variables in bodies; they can also be in the query. */
function checkLists(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepestVariables) throw refusedDocument('The variables are nested too deeply');
  if (Array.isArray(value) && value.length > longestList) {
    throw refusedDocument(
      `A list of the variables has ${value.length} items, more than the limit of ${longestList}`,
    );
  }
  for (const inner of Object.values(value)) checkLists(inner, depth + 1);
}
