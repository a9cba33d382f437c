import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedInputType,
  GraphQLNonNull,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { PublicExtensions } from '../kernel/public.ts';
import { accessLevelFor } from './access-level.ts';
import { identifiedBy, numberOf, referenceOf } from './ids.ts';

/** Converts a coerced value of the public schema to the core's. */
export type Convert = (value: unknown) => unknown;

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
}

/** Derives the inputs of the public schema from the core's. */
export interface Inputs {
  /** The argument or field `name`; `identifies` are the types that an argument `id` may name. */
  readonly input: (
    name: string,
    type: GraphQLInputType,
    identifies: readonly string[] | null,
  ) => PublicInput;
  /** A set of arguments or input fields. */
  readonly fields: (fields: ConfigMap, identifies?: readonly string[] | null) => PublicFields;
}

/** Creates the inputs of one view; `named` gives the view's scalars and enums. */
export function publicInputs(
  named: (type: GraphQLNamedInputType) => GraphQLNamedInputType,
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

  const input: Inputs['input'] = (name, type, identifies) => {
    if (isNonNullType(type)) {
      const inner = input(name, type.ofType, identifies);
      return { ...inner, type: new GraphQLNonNull(inner.type as never) };
    }
    if (isListType(type)) {
      const inner = input(name, type.ofType, identifies);
      const { convert } = inner;
      return {
        type: new GraphQLList(inner.type),
        convert:
          convert &&
          ((list) => (list as unknown[]).map((item) => (item === null ? null : convert(item)))),
      };
    }
    if (isInputObjectType(type)) return objectOf(type);
    const types = name === 'id' ? identifies : identifiedBy(name);
    if (types && type === GraphQLInt) return { type: GraphQLID, convert: numberOf(name, types) };
    if (types && type === GraphQLID) return { type, convert: referenceOf(name, types) };
    return { type: accessLevelFor(name, type) ?? named(type) };
  };

  const fieldsOf: Inputs['fields'] = (fields, identifies = null) => {
    const converts: [string, Convert][] = [];
    const mapped = Object.entries(fields).map(([name, config]) => {
      const { identifies: own } = (config.extensions ?? {}) as PublicExtensions;
      const { type, convert } = input(name, config.type, own === undefined ? identifies : [own]);
      if (convert) converts.push([name, convert]);
      return [name, { ...config, type }];
    });
    return {
      fields: Object.fromEntries(mapped) as ConfigMap,
      convert: converts.length > 0 ? (value) => converted(value as object, converts) : undefined,
    };
  };

  return { input, fields: fieldsOf };
}

/** The object with these fields converted; absent and null fields stay so. */
function converted(value: object, converts: readonly [string, Convert][]): object {
  const result: Record<string, unknown> = { ...value };
  for (const [name, convert] of converts) {
    if (result[name] !== undefined && result[name] !== null) result[name] = convert(result[name]);
  }
  return result;
}

/** Whether `type` is a single input object whose fields can stand beside the other arguments. */
export const isFlattened = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type);
  return (
    isNonNullType(type) && !isListType(type.ofType) && isInputObjectType(named) && !named.isOneOf
  );
};
