import {
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
} from 'graphql';

/** One listing with one order or one filter, as the arguments of its field. */
export interface ListingCase {
  readonly typeName: string;
  readonly field: string;
  /** For example `orderBy: NAME, sort: ASC`. */
  readonly args: string;
}

/** The values with which a field of a filter is tested, by its name; enums and booleans have all theirs. */
export type FilterSamples = Readonly<Record<string, readonly unknown[]>>;

/** The listings of a type, each with every order in both directions, and with each filter. */
export function listingCases(
  schema: GraphQLSchema,
  typeName: string,
  samples: FilterSamples,
): ListingCase[] {
  const type = schema.getType(typeName) as GraphQLObjectType;
  return Object.values(type.getFields()).flatMap(({ name: field, args }) => {
    const typeOf = (name: string) => args.find((argument) => argument.name === name)?.type;
    if (!typeOf('after')) return [];
    const isSorted = typeOf('sort') !== undefined;
    return [...ordersOf(typeOf('orderBy'), isSorted), ...filtersOf(typeOf('filter'), samples)].map(
      (list) => ({ typeName, field, args: list }),
    );
  });
}

function ordersOf(type: GraphQLInputType | undefined, isSorted: boolean): string[] {
  const directions = isSorted ? ['sort: ASC', 'sort: DESC'] : ['first: 20'];
  const orderType = type && getNamedType(type);
  if (!isEnumType(orderType)) return directions;
  return orderType
    .getValues()
    .flatMap(({ name }) => directions.map((direction) => `orderBy: ${name}, ${direction}`));
}

function filtersOf(type: GraphQLInputType | undefined, samples: FilterSamples): string[] {
  const filterType = type && getNamedType(type);
  if (!isInputObjectType(filterType)) return [];
  return Object.values(filterType.getFields()).flatMap(({ name, type: fieldType }) =>
    valuesOf(name, fieldType, samples).map((value) =>
      // a sample is one value, or several fields of the filter
      isFields(value) ? `filter: { ${value.fields} }` : `filter: { ${name}: ${value} }`,
    ),
  );
}

const isFields = (value: unknown): value is { readonly fields: string } =>
  typeof value === 'object' && value !== null && 'fields' in value;

/** The values of a field of a filter as GraphQL. */
function valuesOf(name: string, type: GraphQLInputType, samples: FilterSamples): unknown[] {
  const named = getNamedType(type);
  const isList = getNullableType(type) !== named;
  if (isEnumType(named)) {
    return named.getValues().map((value) => (isList ? `[${value.name}]` : value.name));
  }
  if (named.name === 'Boolean') return [true, false];
  const values = samples[name];
  if (!values) throw new Error(`Add a value of the filter field ${name} to the samples.`);
  return values.map((value) => (isFields(value) ? value : JSON.stringify(value)));
}
