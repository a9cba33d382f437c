import {
  type DirectiveNode,
  type GraphQLResolveInfo,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

type Info = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;

/** The names of the fields that a document asks of what the field at hand gives. */
export function fieldsAsked(info: Info): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { selectionSet } of info.fieldNodes) collect(selectionSet, info, names);
  return names;
}

function collect(asked: SelectionSetNode | undefined, info: Info, names: Set<string>): void {
  for (const selection of asked?.selections ?? []) {
    if (selection.directives?.some((directive) => !isHeld(directive, info))) continue;
    if (selection.kind === Kind.FIELD) names.add(selection.name.value);
    else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, info, names);
    else collect(info.fragments[selection.name.value]?.selectionSet, info, names);
  }
}

/** Whether a directive lets stand what it is written at. */
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
