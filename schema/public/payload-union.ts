import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLOutputType,
  type GraphQLUnionType,
  type InlineFragmentNode,
  Kind,
} from 'graphql';
import { selectedNodes } from '../kernel/selected-fields.ts';
import { uncapitalized, words } from './names.ts';
import { unselected } from './payload-info.ts';

type Field = GraphQLFieldConfig<unknown, object>;
type Arguments = Readonly<Record<string, unknown>>;

/** The fields of a payload whose result is a union: one for each type, all but one of them null. */
export const memberFields = (
  union: GraphQLUnionType,
  output: (type: GraphQLOutputType) => GraphQLOutputType,
): GraphQLFieldConfigMap<unknown, object> =>
  Object.fromEntries(
    union.getTypes().map((type) => [
      uncapitalized(type.name),
      {
        type: output(type),
        description: `The ${words(uncapitalized(type.name))}; null if the result is of another type.`,
        extensions: { complexity: 0 },
      },
    ]),
  );

/** The result of a mutation that gives a union, below the field of its type. */
export async function memberOf(
  union: GraphQLUnionType,
  { type }: Field,
  core: NonNullable<Field['resolve']>,
  [root, args, context, info]: Parameters<NonNullable<Field['resolve']>>,
): Promise<Arguments> {
  const fragments = union.getTypes().flatMap(({ name }) =>
    selectedNodes(info, uncapitalized(name)).map(({ selectionSet }) => ({
      kind: Kind.INLINE_FRAGMENT,
      typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } },
      selectionSet,
    })),
  ) as readonly InlineFragmentNode[];
  const node = unselected('result', type);
  const fieldNodes =
    fragments.length > 0
      ? [{ ...node, selectionSet: { kind: Kind.SELECTION_SET, selections: fragments } } as const]
      : [node];
  const value = await core(root, args, context, { ...info, fieldNodes, returnType: type });
  const member = await union.resolveType?.(value, context, info, union);
  return { [uncapitalized(String(member))]: value };
}
