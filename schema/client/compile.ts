import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  Kind,
  parse,
  print,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { unchanged, withObjectsAsVariables } from './object-variables.ts';

/** A compiled document: returns its result for variables and a context. */
export type Run = (
  variables: Record<string, unknown>,
  context: unknown,
) => Promise<ExecutionResult> | ExecutionResult;

/**
 * Whether the compiled code gives the same results as the interpreter, and whether the document has
 * object literals. The results differ for abstract types (an error during type resolution would
 * never settle) and for variable defaults.
 */
function traitsOf(schema: GraphQLSchema, document: DocumentNode) {
  const types = new TypeInfo(schema);
  const traits = { isCompilable: true, hasObjects: false };
  visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet: () => {
        if (isAbstractType(getNamedType(types.getParentType()))) traits.isCompilable = false;
      },
      VariableDefinition: ({ defaultValue }) => {
        if (defaultValue) traits.isCompilable = false;
      },
      ObjectValue: () => {
        traits.hasObjects = true;
      },
    }),
  );
  return traits;
}

const compiledDocuments = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, Run>>();

/**
 * Makes a document ready to run; throws where it does not fit the schema. Compiled once for each schema:
 * the servers that one test process starts share it.
 */
export function compile(schema: GraphQLSchema, document: DocumentNode): Run {
  const documents = compiledDocuments.get(schema) ?? new WeakMap<DocumentNode, Run>();
  compiledDocuments.set(schema, documents);
  const existing = documents.get(document);
  if (existing) return existing;
  const run = compileDocument(schema, document);
  documents.set(document, run);
  return run;
}

/** The interpreter runs what the compiler would get wrong. */
function compileDocument(schema: GraphQLSchema, document: DocumentNode): Run {
  const [wrong] = validate(schema, document);
  if (wrong) throw wrong;
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operations.length !== 1) throw new Error('A document holds exactly one operation.');

  const { isCompilable, hasObjects } = traitsOf(schema, document);
  if (isCompilable) {
    // the compiler writes conditions into the nodes, and documents share the nodes of their
    // fragments
    const plain = hasObjects ? withObjectsAsVariables(schema, document) : unchanged(document);
    const compiled = compileQuery(schema, parse(print(plain.document), { noLocation: true }));
    if (isCompiledQuery(compiled)) {
      return (variables, context) =>
        compiled.query(undefined, context, plain.variablesOf(variables));
    }
  }
  return (variables, context) =>
    execute({ schema, document, variableValues: variables, contextValue: context });
}
