import {
  type GraphQLLeafType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLType,
  isListType,
  isNonNullType,
} from 'graphql';

/** The type with `leaf` instead of its scalar: `[String!]!` with `URL` is `[URL!]!`. */
export function withLeaf<Type extends GraphQLType>(type: Type, leaf: GraphQLLeafType): Type {
  if (isNonNullType(type)) return new GraphQLNonNull(withLeaf(type.ofType, leaf)) as Type;
  if (isListType(type)) return new GraphQLList(withLeaf(type.ofType, leaf)) as Type;
  return leaf as Type;
}
