import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLResolveInfo,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/**
 * The names of the fields that a document selects below the current field; with `below`, below its
 * child field of this name.
 */
export function selectedFields(info: Info, below?: string): ReadonlySet<string> {
  const nodes = below === undefined ? info.fieldNodes : selectedNodes(info, below);
  const selected = nodes.flatMap(({ selectionSet }) => fieldsIn(selectionSet, info));
  return new Set(selected.map(({ name }) => name.value));
}

/** The selections of the child field `name`, with each of its aliases. */
export const selectedNodes = (info: Info, name: string): readonly FieldNode[] =>
  info.fieldNodes
    .flatMap(({ selectionSet }) => fieldsIn(selectionSet, info))
    .filter((field) => field.name.value === name);

function fieldsIn(selections: SelectionSetNode | undefined, info: Info): readonly FieldNode[] {
  return (selections?.selections ?? []).flatMap((selection) => {
    if (selection.directives?.some((directive) => !isHeld(directive, info))) return [];
    if (selection.kind === Kind.FIELD) return [selection];
    return selection.kind === Kind.INLINE_FRAGMENT
      ? fieldsIn(selection.selectionSet, info)
      : fieldsIn(info.fragments[selection.name.value]?.selectionSet, info);
  });
}

/** Whether a directive (`@include`, `@skip`) keeps the selection. */
function isHeld({ name, arguments: given }: DirectiveNode, info: Info): boolean {
  const condition = given?.find((argument) => argument.name.value === 'if')?.value;
  if (!condition) return true;
  if (name.value === 'include') return isTrue(condition, info);
  return name.value !== 'skip' || !isTrue(condition, info);
}

const isTrue = (value: ValueNode, { variableValues }: Info): boolean =>
  value.kind === Kind.VARIABLE
    ? variableValues.coerced[value.name.value] === true
    : value.kind === Kind.BOOLEAN && value.value;
