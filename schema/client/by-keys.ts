import {
  type DocumentNode,
  type FieldNode,
  Kind,
  parse,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** Parts that a document gets, parsed. */
const parts = parse(
  'query ($cursor: String) { page(after: $cursor) { pageInfo { hasNextPage endCursor } } }',
).definitions[0];
if (parts?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The parts are an operation.');
const { variableDefinitions: [cursorDefinition] = [], selectionSet } = parts;
const [{ arguments: [after] = [], selectionSet: pageParts }] = selectionSet.selections as [
  FieldNode,
];

/**
 * The document of a listing, read by keys: its `page` starts after `$cursor`, and has the position of
 * its end instead of the total.
 */
export const byKeys = <Document extends DocumentNode>(document: Document): Document =>
  visit(document, {
    OperationDefinition: (operation) => ({
      ...operation,
      variableDefinitions: [...(operation.variableDefinitions ?? []), cursorDefinition],
    }),
    Field: (field) =>
      field.alias?.value === 'page'
        ? {
            ...field,
            arguments: [...(field.arguments ?? []), after],
            selectionSet: withEnd(field.selectionSet),
          }
        : undefined,
  });

const withEnd = (page: SelectionSetNode | undefined) => ({
  kind: Kind.SELECTION_SET,
  selections: [
    ...(page?.selections ?? []).filter(
      (selection) => selection.kind !== Kind.FIELD || selection.name.value !== 'total',
    ),
    ...(pageParts?.selections ?? []),
  ],
});
