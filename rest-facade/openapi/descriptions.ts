import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { camelCase } from '../kernel/case.ts';
import type { JsonSchema } from '../kernel/marks.ts';
import { restText } from './rest-text.ts';

/** The fields that a document selects, by the names of the response. */
interface SelectedFields
  extends Map<string, { text: string | null; readonly fields: SelectedFields }> {}

/** What the core's schema says of the parameters and the response of a document. */
export interface DocumentTexts {
  /** The text of a parameter, or null. */
  readonly parameter: (name: string) => string | null;
  /** Adds descriptions to the properties of a response, which `components` may define. */
  readonly describe: (schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>) => void;
}

/** All fields of a document, at any depth and in any fragment, as a tree. */
function selectedFields(document: DocumentNode, schema: GraphQLSchema): SelectedFields {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const collect = (set: SelectionSetNode, typeName: string, into: SelectedFields) => {
    const type = schema.getType(typeName);
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet, fragment.typeCondition.name.value, into);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet, selection.typeCondition?.name.value ?? typeName, into);
      } else {
        const field =
          type && isCompositeType(type) && 'getFields' in type
            ? type.getFields()[selection.name.value]
            : undefined;
        const key = (selection.alias ?? selection.name).value;
        const existing = into.get(key) ?? { text: null, fields: new Map() };
        existing.text ??= field?.description ? restText(field.description) : null;
        into.set(key, existing);
        if (selection.selectionSet && field) {
          collect(selection.selectionSet, getNamedType(field.type).name, existing.fields);
        }
      }
    }
  };
  const fields: SelectedFields = new Map();
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(node.operation);
    if (root) collect(node.selectionSet, root.name, fields);
  }
  return fields;
}

const within = (fields: SelectedFields, key: string): SelectedFields | null => {
  const direct = fields.get(key);
  if (direct) return direct.fields;
  for (const { fields: inner } of fields.values()) {
    const deeper = within(inner, key);
    if (deeper) return deeper;
  }
  return null;
};

const textIn = (fields: SelectedFields, key: string): string | null => {
  const direct = fields.get(key)?.text;
  if (direct) return direct;
  for (const { fields: inner } of fields.values()) {
    const deeper = textIn(inner, key);
    if (deeper) return deeper;
  }
  return null;
};

/** The texts of the document's variables, by their names and by those of their own fields. */
function variableTexts(document: DocumentNode, schema: GraphQLSchema): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const add = (name: string, text: string | null | undefined) => {
    if (text && !texts.has(name)) texts.set(name, restText(text));
  };
  const types: GraphQLInputType[] = [];
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Argument: ({ value }) => {
        const argument = info.getArgument();
        if (value.kind !== Kind.VARIABLE || !argument) return;
        add(value.name.value, argument.description);
        types.push(argument.type);
      },
      ObjectField: ({ name, value }) => {
        const parent = getNamedType(info.getParentInputType());
        if (value.kind !== Kind.VARIABLE || !isInputObjectType(parent)) return;
        const field = parent.getFields()[name.value];
        add(value.name.value, field?.description);
        if (field) types.push(field.type);
      },
    }),
  );
  const visited = new Set<string>();
  for (const inputType of types) {
    const type = getNamedType(inputType);
    if (!isInputObjectType(type) || visited.has(type.name)) continue;
    visited.add(type.name);
    for (const field of Object.values(type.getFields())) {
      add(field.name, field.description);
      types.push(field.type);
    }
  }
  return texts;
}

type MutableSchema = {
  description?: string;
  $ref?: string;
  properties?: Record<string, MutableSchema>;
  items?: MutableSchema;
  anyOf?: MutableSchema[];
};

export function documentTexts(document: DocumentNode, schema: GraphQLSchema): DocumentTexts {
  const selected = selectedFields(document, schema);
  const root = within(selected, 'nodes') ?? within(selected, 'result') ?? selected;
  const texts = variableTexts(document, schema);

  return {
    parameter: (name) => {
      const camel = camelCase(name);
      const flag = `is${camel.charAt(0).toUpperCase()}${camel.slice(1)}`;
      return texts.get(name) ?? texts.get(camel) ?? texts.get(flag) ?? null;
    },
    describe: (given, components) => {
      const visited = new Set<MutableSchema>();
      const describe = (part: MutableSchema, fields: SelectedFields): void => {
        const name = part.$ref?.split('/').at(-1);
        const target = name === undefined ? part : (components[name] as MutableSchema);
        if (visited.has(target)) return;
        visited.add(target);
        for (const [key, property] of Object.entries(target.properties ?? {})) {
          const text = fields.get(key)?.text ?? textIn(selected, key);
          if (text) property.description ??= text;
          describe(property, within(fields, key) ?? fields);
        }
        if (target.items) describe(target.items, fields);
        for (const choice of target.anyOf ?? []) describe(choice, fields);
      };
      describe(given as MutableSchema, root);
    },
  };
}
