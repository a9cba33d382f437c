import { createComplexityRule } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  validate,
} from 'graphql';
import { documentBudget } from '../../schema/kernel/cost.ts';
import { introspectionCost } from './introspection-cost.ts';
import { refusedDocument } from './refused-document.ts';

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

/** Throws a refusal that names the cost and the limit if the operation exceeds it. */
export function checkCost(
  { schema, document, operationName, variables, context }: Execution,
  budget = documentBudget,
) {
  checkLists(variables);
  const operation = getOperationAST(document, operationName);
  // the executor reports the error
  if (!operation) return;
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  let cost = introspectionCost(schema, fragments, operation.selectionSet);
  let levels = 0;
  const rule = createComplexityRule({
    context,
    variableValues: variables,
    operationName,
    validate: ({ complexity, depth }) => {
      cost += complexity;
      levels = depth;
    },
  });
  // the executor reports variables of a wrong type, with HTTP 400
  validate(schema, document, [rule], { maxErrors: 1 });
  if (levels > deepest) {
    throw refusedDocument(
      `The document has a depth of ${levels}, more than the limit of ${deepest}`,
    );
  }
  if (cost > budget) {
    throw refusedDocument(`The document costs ${cost}, more than the limit of ${budget}`, {
      cost,
      limit: budget,
    });
  }
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
