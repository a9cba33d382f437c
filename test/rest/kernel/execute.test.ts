import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  execute as interpret,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { createExecute } from '../../../schema/client/execute.ts';
import type { Context } from '../../../schema/kernel/context.ts';
import { invalid, notFound } from '../../../schema/kernel/errors.ts';
import { document } from './app.ts';

const Even = new GraphQLScalarType({
  name: 'Even',
  parseValue: (value) => {
    if (Number(value) % 2) throw invalid({ number: ['is odd'] });
    return Number(value);
  },
});
const Colour = new GraphQLEnumType({ name: 'Colour', values: { red: { value: 0xff0000 } } });
const Inner = new GraphQLInputObjectType({
  name: 'Inner',
  fields: { depth: { type: GraphQLInt, defaultValue: 3 }, name: { type: GraphQLString } },
});
const Filter = new GraphQLInputObjectType({
  name: 'Filter',
  fields: {
    size: { type: GraphQLInt, defaultValue: 20 },
    names: { type: new GraphQLList(GraphQLString) },
    colour: { type: Colour },
    inner: { type: Inner },
  },
});
const fields = { kind: { type: GraphQLString } };
const Animal = new GraphQLInterfaceType({
  name: 'Animal',
  fields,
  resolveType: ({ kind }: { readonly kind: string }) => {
    if (kind === 'unknown') throw notFound('Animal');
    return 'Dog';
  },
});
const Dog = new GraphQLObjectType({ name: 'Dog', interfaces: [Animal], fields });
const names = ['size', 'names', 'colour', 'inner', 'depth', 'name'];

const schema = new GraphQLSchema({
  types: [Dog],
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      args: {
        type: new GraphQLNonNull(GraphQLString),
        args: {
          filter: { type: Filter },
          colour: { type: Colour, defaultValue: 0xff0000 },
          page: { type: GraphQLInt, defaultValue: 1 },
          even: { type: Even },
        },
        resolve: (_root, args: object) =>
          JSON.stringify(args, Object.keys(args).concat(names).sort()),
      },
      animal: {
        type: new GraphQLNonNull(Animal),
        args: { kind: { type: GraphQLString } },
        resolve: async (_root, { kind }: { readonly kind: string }) => ({ kind }),
      },
      late: {
        type: GraphQLString,
        resolve: async () => {
          throw notFound('Late');
        },
      },
      notList: { type: new GraphQLList(GraphQLString), resolve: async () => 5 },
    },
  }),
});
const execute = createExecute(schema, () => ({}) as Context);

type Text = { args: string };
const full = 'query($f: Filter, $c: Colour, $p: Int, $e: Even)';
const call = 'args(filter: $f, colour: $c, page: $p, even: $e)';

describe('a compiled document returns the same result as the interpreter', () => {
  test.each([
    [`${full} { ${call} }`, {}],
    [`${full} { ${call} }`, { f: { names: ['a'], colour: 'red', inner: { name: 'x' } }, c: 'red' }],
    [`${full} { ${call} }`, { f: { size: null, inner: null }, c: null, p: null }],
    [`${full} { ${call} }`, { f: { size: undefined, inner: { depth: undefined } }, p: undefined }],
    ['query($s: Int) { args(filter: { size: $s, inner: { depth: $s } }) }', {}],
    ['query($s: Int) { args(filter: { size: $s, inner: { depth: $s } }) }', { s: 5 }],
    ['query($s: Int) { args(filter: { size: $s, colour: red }) }', { s: null }],
    [
      'query($a: String, $b: String, $p: Int) { args(page: $p, filter: { names: [$a, "x", $b] }) }',
      { a: 'a', p: 2 },
    ],
    [
      'query($n: String, $i: Inner) { ...Both } fragment Both on Query { first: args(filter: { names: [$n] }) args(filter: { inner: $i }) }',
      { n: 'n', i: { name: 'i' } },
    ],
    ['query($p: Int! = 7) { args(page: $p) }', {}],
    [
      'query($yes: Boolean!) { args @include(if: $yes) second: args @skip(if: $yes) }',
      { yes: true },
    ],
    ['{ animal(kind: "dog") { __typename kind } }', {}],
  ])('%s with %j', async (text, variables) => {
    const compiled = document<Text, Record<string, unknown>>(text);
    const options = { variableValues: variables, contextValue: {} };
    const expected = await interpret({ schema, document: compiled, ...options });
    expect(expected.errors).toBeUndefined();
    const data = await execute(compiled, variables, null);
    expect(JSON.stringify(data)).toBe(JSON.stringify(expected.data));
  });
});

test('a condition in one document does not affect another that shares the fragment', async () => {
  const [fragment] = document('fragment Conditional on Query { args }').definitions;
  const withFragment = (text: string) => {
    const { definitions, ...rest } = document<Partial<Text>, { isIncluded?: boolean }>(text);
    return { ...rest, definitions: [...definitions, ...(fragment ? [fragment] : [])] };
  };
  const conditional = withFragment(
    'query($isIncluded: Boolean!) { ...Conditional @include(if: $isIncluded) }',
  );
  const whole = withFragment('{ ...Conditional }');
  expect((await execute(conditional, { isIncluded: false }, null)).args).toBeUndefined();
  expect((await execute(conditional, { isIncluded: true }, null)).args).toBeTypeOf('string');
  expect((await execute(whole, {}, null)).args).toBeTypeOf('string');
});

describe('errors', () => {
  const run = (text: string, variables: Record<string, unknown> = {}) =>
    execute(document<unknown, Record<string, unknown>>(text), variables, null);

  test('are domain errors if a resolver, a type or a scalar throws one', async () => {
    await expect(run('{ late }')).rejects.toThrow(notFound('Late'));
    await expect(run('{ animal(kind: "unknown") { kind } }')).rejects.toMatchObject({
      name: 'DomainError',
      code: 'NOT_FOUND',
    });
    await expect(run('query($e: Even) { args(even: $e) }', { e: 3 })).rejects.toMatchObject({
      name: 'DomainError',
      fields: { number: ['is odd'] },
    });
  });

  test('are ordinary errors if the core or a variable is faulty', async () => {
    await expect(run('{ notList }')).rejects.toThrow(/Expected Iterable/);
    await expect(run('query($p: Int) { args(page: $p) }', { p: 'x' })).rejects.toThrow(/\$p/);
  });
});
