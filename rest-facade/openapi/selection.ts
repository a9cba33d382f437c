import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { JsonSchema } from '../kernel/marks.ts';
import type { Components } from './components.ts';
import { restText } from './rest-text.ts';

/** The JSON of scalars; the names are those of the core. */
const scalars: Readonly<Record<string, JsonSchema>> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  ID: { type: 'string' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  SHA: { type: 'string' },
  Base64: { type: 'string', contentEncoding: 'base64' },
  URL: { type: 'string' },
  ByteCount: { type: 'integer' },
};

interface Property {
  schema: JsonSchema;
  isRequired: boolean;
}

const isConditional = (directives: readonly DirectiveNode[] | undefined) =>
  (directives ?? []).some(({ name }) => name.value === 'include' || name.value === 'skip');

const nullable = (schema: JsonSchema): JsonSchema =>
  typeof schema.type === 'string' && !schema.enum
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** `BasicUserFields` → `BasicUser` */
const nameOf = (fragment: FragmentDefinitionNode) => fragment.name.value.replace(/Fields$/, '');

const fieldNamed = (key: string, set: SelectionSetNode | undefined): FieldNode | undefined =>
  set?.selections
    .filter((selection) => selection.kind === Kind.FIELD)
    .find(({ alias, name }) => (alias ?? name).value === key);

const withDescription = (schema: JsonSchema, description: string | null | undefined): JsonSchema =>
  description ? { ...schema, description: restText(description) } : schema;

/** The JSON Schemas of what a document selects; fragments become components. */
export function selectionSchemas(
  document: DocumentNode,
  schema: GraphQLSchema,
  components: Components,
) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }

  const typed = (type: GraphQLOutputType, set: SelectionSetNode | undefined): JsonSchema => {
    if (!isNonNullType(type)) return nullable(nonNull(type, set));
    return nonNull(type.ofType, set);
  };

  const nonNull = (type: GraphQLOutputType, set: SelectionSetNode | undefined): JsonSchema => {
    if (isListType(type)) return { type: 'array', items: typed(type.ofType, set) };
    if (isEnumType(type)) {
      return { type: 'string', enum: type.getValues().map(({ name }) => name) };
    }
    if (isScalarType(type)) return { ...scalars[type.name] };
    return set ? objectOf(String(type), set) : {};
  };

  /** Whether a fragment on `inner` may not apply to a record of `outer`. */
  const isNarrower = (inner: string, outer: string): boolean => {
    const [abstract, concrete] = [schema.getType(inner), schema.getType(outer)];
    if (inner === outer || !isAbstractType(abstract) || !concrete) return inner !== outer;
    return !('getInterfaces' in concrete && schema.isSubType(abstract, concrete));
  };

  const collect = (
    typeName: string,
    set: SelectionSetNode,
    isOptional: boolean,
    into: Map<string, Property>,
    isSkipped: (key: string) => boolean = () => false,
  ): void => {
    const type = schema.getType(typeName);
    const fields = type && 'getFields' in type ? type.getFields() : {};
    for (const selection of set.selections) {
      const isMissing = isOptional || isConditional(selection.directives);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (!fragment) continue;
        const inner = fragment.typeCondition.name.value;
        collect(
          inner,
          fragment.selectionSet,
          isMissing || isNarrower(inner, typeName),
          into,
          isSkipped,
        );
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const inner = selection.typeCondition?.name.value ?? typeName;
        collect(
          inner,
          selection.selectionSet,
          isMissing || isNarrower(inner, typeName),
          into,
          isSkipped,
        );
      } else {
        const key = (selection.alias ?? selection.name).value;
        if (isSkipped(key)) continue;
        const field = fields[selection.name.value];
        const added =
          field && 'args' in field
            ? withDescription(typed(field.type, selection.selectionSet), field.description)
            : { type: 'string' };
        const existing = into.get(key);
        into.set(key, {
          schema: existing ? merged(existing.schema, added) : added,
          isRequired: !isMissing || (existing?.isRequired ?? false),
        });
      }
    }
  };

  /** A fragment alone is a component; other fields are an object in place. */
  const objectOf = (typeName: string, set: SelectionSetNode): JsonSchema => {
    const [only] = set.selections;
    if (set.selections.length === 1 && only?.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(only.name.value);
      if (fragment && !isConditional(only.directives)) return componentOf(fragment);
    }
    const properties = new Map<string, Property>();
    collect(typeName, set, false, properties);
    return objectWith(properties);
  };

  const componentOf = (fragment: FragmentDefinitionNode): JsonSchema => {
    const name = nameOf(fragment);
    components[name] ??= fieldsOf(fragment);
    return { $ref: `#/components/schemas/${name}` };
  };

  const fieldsOf = (
    fragment: FragmentDefinitionNode,
    isSkipped?: (key: string) => boolean,
  ): JsonSchema => {
    const properties = new Map<string, Property>();
    const { typeCondition, selectionSet } = fragment;
    collect(typeCondition.name.value, selectionSet, false, properties, isSkipped);
    return objectWith(properties);
  };

  const [first] = document.definitions;
  return {
    /** The component of a fragment's own document. */
    component: () => componentOf(first as FragmentDefinitionNode),
    /** The object of a fragment's own document in place, without the fields that are skipped. */
    object: (isSkipped: (key: string) => boolean) =>
      fieldsOf(first as FragmentDefinitionNode, isSkipped),
    /** The object at the root of an operation, or at a path of response keys. */
    at: (path: readonly string[]): JsonSchema => {
      const operation = document.definitions.find(
        (node) => node.kind === Kind.OPERATION_DEFINITION,
      );
      const root = operation && schema.getRootType(operation.operation);
      if (!operation || !root) throw new Error('the document has no operation');
      let type: GraphQLOutputType = root;
      let set: SelectionSetNode | undefined = operation.selectionSet;
      for (const key of path) {
        const field = fieldNamed(key, set);
        const parent: GraphQLOutputType = isNonNullType(type) ? type.ofType : type;
        if (!field || !('getFields' in parent)) {
          throw new Error(`the document does not select ${path.join('.')}`);
        }
        type = parent.getFields()[field.name.value]?.type ?? type;
        set = field.selectionSet;
      }
      // a record that does not exist is an error, so that null is no result
      return isNonNullType(type) ? nonNull(type.ofType, set) : nonNull(type, set);
    },
  };
}

const objectWith = (properties: ReadonlyMap<string, Property>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries([...properties].map(([key, { schema }]) => [key, schema])),
  required: [...properties].filter(([, { isRequired }]) => isRequired).map(([key]) => key),
  additionalProperties: false,
});

/** Two selections of a field: an object has the properties of both. */
function merged(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (!a.properties || !b.properties) return a;
  return {
    ...a,
    properties: { ...(a.properties as object), ...(b.properties as object) },
    required: [...new Set([...(a.required as string[]), ...(b.required as string[])])],
  };
}
