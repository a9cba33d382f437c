import {
  type GraphQLAbstractType,
  type GraphQLType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { publicView } from '../../schema/public/view.ts';

const view = publicView(schema);

/**
 * What graphql-js compares of two fields with one response name (OverlappingFieldsCanBeMerged):
 * lists, nullability and the names of scalars and enums.
 */
function shapeOf(type: GraphQLType): string {
  if (isNonNullType(type)) return `${shapeOf(type.ofType)}!`;
  if (isListType(type)) return `[${shapeOf(type.ofType)}]`;
  return isLeafType(type) ? type.name : 'object';
}

/** Fields with one name that mean different things, for which a document needs aliases. */
const differing: ReadonlySet<string> = new Set([
  // different enums
  ...['Awardable.state', 'EventTarget.state', 'Issuable.state', 'Noteable.state'],
  // the labels that an issue has and those that a project offers
  'EventTarget.labels',
  // a project can hide its merge requests; a milestone has those that the current user may see
  'EventTarget.mergeRequests',
]);

/** The fields of the possible types of an interface or union that have several shapes. */
function conflictsOf(abstract: GraphQLAbstractType): string[] {
  const shapes = new Map<string, Map<string, string[]>>();
  for (const member of view.getPossibleTypes(abstract)) {
    for (const { name, type } of Object.values(member.getFields())) {
      const members = shapes.get(name) ?? new Map<string, string[]>();
      const shape = shapeOf(type);
      shapes.set(name, members.set(shape, [...(members.get(shape) ?? []), member.name]));
    }
  }
  return [...shapes].flatMap(([name, members]) =>
    members.size === 1 || differing.has(`${abstract.name}.${name}`)
      ? []
      : [
          `${abstract.name}.${name}: ${[...members].map(([shape, types]) => `${shape} of ${types}`).join('; ')}`,
        ],
  );
}

/** The interfaces and unions of a few related types, which a document selects side by side. */
const abstracts = Object.values(view.getTypeMap())
  .filter((type) => isInterfaceType(type) || isUnionType(type))
  .filter(({ name }) => name !== 'Node' && name !== 'Page');

test('fragments on the types of an interface or union can select each field', () => {
  expect(abstracts.length).toBeGreaterThan(3);
  expect(abstracts.flatMap(conflictsOf)).toEqual([]);
});
