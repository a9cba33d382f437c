import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type ObjectValueNode,
  parseType,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  type VariableNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/** An object literal that contains variables, and the variable in place of it. */
interface Moved {
  readonly definition: VariableDefinitionNode;
  readonly literal: ObjectValueNode;
}

/** A document with a variable for each object that contains variables. */
interface PlainDocument {
  readonly document: DocumentNode;
  /** Its variables, from those of the original document. */
  readonly variablesOf: (variables: Record<string, unknown>) => Record<string, unknown>;
}

/** A document without such objects. */
export const unchanged = (document: DocumentNode): PlainDocument => ({
  document,
  variablesOf: (variables) => variables,
});

/**
 * Replaces each object literal that contains variables, such as `filter: { search: $search }`, by a
 * variable: the compiler would read a missing variable inside it as null instead of leaving it out.
 */
export function withObjectsAsVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
): PlainDocument {
  const moved: Moved[] = [];
  const types = new TypeInfo(schema);
  const replaced = visit(
    document,
    visitWithTypeInfo(types, {
      ObjectValue: (literal) => {
        if (variablesIn(literal).size === 0) return undefined;
        const variable = variableNamed(`object_${moved.length + 1}`);
        const type = parseType(String(types.getInputType()));
        moved.push({ definition: { kind: Kind.VARIABLE_DEFINITION, variable, type }, literal });
        return variable;
      },
    }),
  );
  if (moved.length === 0) return unchanged(document);
  return {
    document: withDefinitions(
      replaced,
      moved.map(({ definition }) => definition),
    ),
    variablesOf: (variables) => {
      const values: Record<string, unknown> = { ...variables };
      for (const { definition, literal } of moved) {
        values[definition.variable.name.value] = literalValue(literal, variables);
      }
      return values;
    },
  };
}

const variableNamed = (name: string): VariableNode => ({
  kind: Kind.VARIABLE,
  name: { kind: Kind.NAME, value: name },
});

/** The names of the variables that are used at or below a node. */
function variablesIn(node: ValueNode | DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(node, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      names.add(name.value);
    },
  });
  return names;
}

/** The document with these definitions in addition to those that it still uses. */
function withDefinitions(
  document: DocumentNode,
  added: readonly VariableDefinitionNode[],
): DocumentNode {
  const used = variablesIn(document);
  return visit(document, {
    OperationDefinition: (operation) => ({
      ...operation,
      variableDefinitions: [
        ...(operation.variableDefinitions ?? []).filter(({ variable }) =>
          used.has(variable.name.value),
        ),
        ...added,
      ],
    }),
  });
}

/** The value of a literal before coercion; fields whose variable is missing are left out. */
function literalValue(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.VARIABLE) return variables[node.name.value];
  if (node.kind === Kind.LIST)
    return node.values.map((item) => literalValue(item, variables) ?? null);
  if (node.kind !== Kind.OBJECT) return valueFromASTUntyped(node);
  const value: Record<string, unknown> = {};
  for (const field of node.fields) {
    const given = literalValue(field.value, variables);
    if (given !== undefined) value[field.name.value] = given;
  }
  return value;
}
