import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { describe, expect, test } from 'vitest';

const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));

type Field = GraphQLField<unknown, unknown>;

/** The type of the rows of the page that the field returns; null for other fields. */
function rowOf({ type }: Field): string | null {
  const page = getNamedType(type);
  const nodes = isObjectType(page) ? page.getFields().nodes : undefined;
  const isPage = isObjectType(page) && page.getInterfaces().some(({ name }) => name === 'Page');
  return isPage && nodes && !isListType(type) ? getNamedType(nodes.type).name : null;
}

const listings = Object.values(schema.getTypeMap()).flatMap((parent) =>
  isObjectType(parent) || isInterfaceType(parent)
    ? Object.values(parent.getFields()).flatMap((field) => {
        const row = rowOf(field);
        return row === null ? [] : [[`${parent.name}.${field.name}`, row, field] as const];
      })
    : [],
);

const paging = ['page', 'perPage', 'first', 'after'];
const common: ReadonlySet<string> = new Set([...paging, 'filter', 'orderBy', 'sort']);

/** The arguments that say where in the repository or below the group the rows are: not which of them. */
const locations: Readonly<Record<string, readonly string[]>> = {
  'Repository.commits': ['ref'],
  'Repository.tree': ['ref', 'path', 'isRecursive'],
  'Commit.tree': ['path', 'isRecursive'],
  'Group.projects': ['includesSubgroups'],
};

/** Whether the argument identifies the parent of the rows of a root field. */
const isParent = (path: string, name: string) =>
  /^Query\./.test(path) && /Id$|^project$/.test(name);

describe('the arguments of listings', () => {
  test.each(listings)('%s has a filter, an order and a page only', (path, _row, { args }) => {
    const others = args.map(({ name }) => name).filter((name) => !common.has(name));
    const allowed = locations[path] ?? [];
    expect(others.filter((name) => !allowed.includes(name) && !isParent(path, name))).toEqual([]);
    expect(args.map(({ name }) => name)).toEqual(expect.arrayContaining(paging));
    expect(args.filter(isRequiredArgument).filter(({ name }) => !isParent(path, name))).toEqual([]);
  });

  test.each(listings)('%s has the types of its rows', (_path, row, { args }) => {
    const typeOf = (name: string) => {
      const argument = args.find((argument) => argument.name === name);
      return argument && getNamedType(argument.type).name;
    };
    expect([`${row}Filter`, undefined]).toContain(typeOf('filter'));
    expect([`${row}Order`, undefined]).toContain(typeOf('orderBy'));
    expect(['SortDirection', undefined]).toContain(typeOf('sort'));
  });

  test.each(listings)('%s describes its order', (_path, _row, { args, description }) => {
    const order = args.filter(({ name }) => name === 'orderBy' || name === 'sort');
    expect(order.filter((argument) => argument.default === undefined)).toEqual([]);
    const isChosen = order.some(({ name }) => name === 'orderBy');
    if (!isChosen) expect(description).toMatch(/ first\b| order\b|, by /);
  });

  test('a field of filters has one type, whatever is listed', () => {
    const types = new Map<string, Set<string>>();
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isInputObjectType(type) || !type.name.endsWith('Filter')) continue;
      for (const field of Object.values(type.getFields())) {
        const own = /^(state|status|scope)$/.test(field.name) ? type.name : '';
        const key = `${own}${field.name}`;
        types.set(key, (types.get(key) ?? new Set()).add(String(field.type)));
      }
    }
    expect([...types].filter(([, { size }]) => size > 1)).toEqual([]);
  });
});
