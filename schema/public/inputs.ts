import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  type GraphQLInputField,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLLeafType,
  GraphQLList,
  type GraphQLNamedInputType,
  GraphQLNonNull,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { badUserInput } from '../kernel/errors.ts';
import type { PublicExtensions } from '../kernel/public.ts';
import { accessLevelFor } from './access-level.ts';
import { identifiedBy, numberOf, referenceForms, referenceName, referenceOf } from './ids.ts';
import { withLeaf } from './leaf.ts';

/** Converts a coerced value of the public schema to the core's; a promise if it reads a full path. */
export type Convert = (value: unknown, ctx: object) => unknown;

/** An argument or input field of the public schema; without `convert` the core takes its value. */
export interface PublicInput<Type extends GraphQLInputType = GraphQLInputType> {
  readonly type: Type;
  readonly convert?: Convert | undefined;
}

/** Arguments or input fields, whose configurations have the same shape. */
type ConfigMap = GraphQLFieldConfigArgumentMap;

interface PublicFields {
  readonly fields: ConfigMap;
  readonly convert?: Convert | undefined;
  /** The public names by the core's, of those that differ. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Derives the inputs of the public schema from the core's. */
export interface Inputs {
  /**
   * A set of arguments or input fields; `identifies` are the types that a field `id` may name.
   * `subject` is the argument that is called `id`, because the field is about its record.
   */
  readonly fields: (
    fields: ConfigMap,
    identifies?: readonly string[] | null,
    subject?: string,
  ) => PublicFields;
}

/** Creates the inputs of one view; `named` and `typeOf` give the view's scalars and enums. */
export function publicInputs(
  named: (type: GraphQLNamedInputType) => GraphQLNamedInputType,
  typeOf: (name: string) => GraphQLLeafType,
): Inputs {
  const objects = new Map<string, PublicInput<GraphQLInputObjectType>>();

  const objectOf = (type: GraphQLInputObjectType): PublicInput<GraphQLInputObjectType> => {
    const existing = objects.get(type.name);
    if (existing) return existing;
    const { fields, convert } = fieldsOf(type.toConfig().fields);
    const input = { type: new GraphQLInputObjectType({ ...type.toConfig(), fields }), convert };
    objects.set(type.name, input);
    return input;
  };

  const input = (
    name: string,
    type: GraphQLInputType,
    types: readonly string[] | null,
  ): PublicInput => {
    if (isNonNullType(type)) {
      const inner = input(name, type.ofType, types);
      return { ...inner, type: new GraphQLNonNull(inner.type as never) };
    }
    if (isListType(type)) {
      const inner = input(name, type.ofType, types);
      const { convert } = inner;
      return {
        type: new GraphQLList(inner.type),
        convert:
          convert &&
          ((list, ctx) =>
            Promise.all(
              (list as unknown[]).map((item) => (item === null ? null : convert(item, ctx))),
            )),
      };
    }
    if (isInputObjectType(type)) return objectOf(type);
    if (types && type === GraphQLInt) return { type: GraphQLID, convert: numberOf(name, types) };
    if (types && type === GraphQLID) return { type, convert: referenceOf(name, types) };
    return { type: accessLevelFor(name, type) ?? named(type) };
  };

  const fieldsOf: Inputs['fields'] = (coreFields, identifies = null, subject) => {
    const fields: ConfigMap = {};
    const steps: Step[] = [];
    const renamed = new Map<string, string>();
    const add = (name: string, config: ConfigMap[string]) => {
      if (name in fields) throw new Error(`An input would have two fields ${name}.`);
      fields[name] = config;
    };
    for (const [name, config] of Object.entries(coreFields)) {
      const extensions = (config.extensions ?? {}) as PublicExtensions;
      const { identifies: own, publicType, isInternal } = extensions;
      if (isInternal) continue;
      if (publicType !== undefined) {
        add(name, { ...config, type: withLeaf(config.type, typeOf(publicType)) });
        continue;
      }
      const choice = choiceOf(config.type);
      if (choice) {
        const inner = fieldsOf(choice.toConfig().fields);
        const names = Object.keys(inner.fields);
        for (const [innerName, innerConfig] of Object.entries(inner.fields)) {
          add(innerName, withSentence(innerConfig, `Exactly one of ${listed(names.map(quoted))}.`));
        }
        renamed.set(name, 'base');
        steps.push(chosen(name, names, inner.convert, isNonNullType(config.type)));
        continue;
      }
      const types = name === 'id' ? (own === undefined ? identifies : [own]) : identifiedBy(name);
      const leaf = getNamedType(config.type);
      const isReference = types !== null && (leaf === GraphQLInt || leaf === GraphQLID);
      const publicName = isReference ? (name === subject ? 'id' : referenceName(name)) : name;
      const { type, convert } = input(publicName, config.type, types);
      const sentence = isReference && `As ${referenceForms(types)}`;
      add(publicName, { ...(sentence ? withSentence(config, sentence) : config), type });
      if (publicName !== name) renamed.set(name, publicName);
      if (convert || publicName !== name) steps.push(converted(publicName, name, convert));
    }
    const convert = async (value: unknown, ctx: object) => {
      const result = { ...(value as Values) };
      // the full paths of all steps are looked up together
      await Promise.all(steps.map((step) => step(result, ctx)));
      return result;
    };
    return { fields, convert: steps.length > 0 ? convert : undefined, renamed };
  };

  return { fields: fieldsOf };
}

type Values = Record<string, unknown>;

/** Converts a part of the values in place. */
type Step = (values: Values, ctx: object) => Promise<void>;

/** Converts one value, unless it is null, and gives it the name of the core. */
function converted(publicName: string, name: string, convert: Convert | undefined): Step {
  return async (values, ctx) => {
    if (!Object.hasOwn(values, publicName)) return;
    const value = values[publicName];
    delete values[publicName];
    values[name] =
      convert && value !== null && value !== undefined ? await convert(value, ctx) : value;
  };
}

/** Moves the one value of a choice into the input object `name` of the core. */
function chosen(
  name: string,
  names: readonly string[],
  convert: Convert | undefined,
  isRequired: boolean,
): Step {
  return async (values, ctx) => {
    const given = names.filter((key) => values[key] !== undefined && values[key] !== null);
    const value = Object.fromEntries(given.map((key) => [key, values[key]]));
    for (const key of names) delete values[key];
    if (given.length > 1 || (isRequired && given.length === 0)) {
      throw badUserInput({ base: [`needs exactly one of ${listed(names)}`] });
    }
    if (given.length > 0) values[name] = convert ? await convert(value, ctx) : value;
  };
}

const listed = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const quoted = (name: string): string => `\`${name}\``;

/** The input object that is a choice of references; null for other types. */
function choiceOf(type: GraphQLInputType): GraphQLInputObjectType | null {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (!isInputObjectType(inner) || !inner.isOneOf) return null;
  const fields = Object.values(inner.getFields());
  const isReference = (field: GraphQLInputField) =>
    field.name !== 'id' && identifiedBy(field.name) !== null && !isInputObjectType(field.type);
  return fields.every(isReference) ? inner : null;
}

/** The argument or input field with one more sentence in its description. */
export const withSentence = (config: ConfigMap[string], sentence: string): ConfigMap[string] => ({
  ...config,
  description: `${config.description ?? ''} ${sentence}`.trim(),
});

/** Whether `type` is a single input object whose fields can stand beside the other arguments. */
export const isFlattened = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type);
  return (
    isNonNullType(type) && !isListType(type.ofType) && isInputObjectType(named) && !named.isOneOf
  );
};
