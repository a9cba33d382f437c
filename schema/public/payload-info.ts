import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  getNamedType,
  isCompositeType,
  Kind,
} from 'graphql';
import { selectedNodes } from '../kernel/selected-fields.ts';

/** The info of the field `key` of the payload: the core's resolver loads what is selected there. */
export function below(
  info: GraphQLResolveInfo,
  key: string,
  returnType: GraphQLOutputType,
): GraphQLResolveInfo {
  const parentType = getNamedType(info.returnType) as GraphQLObjectType;
  const selected = selectedNodes(info, key);
  const fieldNodes = selected.length > 0 ? selected : [unselected(key, returnType)];
  const [node] = fieldNodes;
  const path = {
    prev: info.path,
    key: (node?.alias ?? node?.name)?.value ?? key,
    typename: parentType.name,
  };
  return { ...info, fieldName: key, fieldNodes, returnType, parentType, path };
}

/** The node of a result that the document does not select: the core still needs one to resolve. */
export const unselected = (key: string, type: GraphQLOutputType): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: key },
  ...(isCompositeType(getNamedType(type)) && {
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
    },
  }),
});
