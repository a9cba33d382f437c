import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { p } from '../../../rest-facade/kernel/params.ts';
import { parseParameters } from '../../../rest-facade/kernel/query.ts';
import { merged, readerOf } from '../../../rest-facade/kernel/read.ts';
import { allOrNone, atLeastOne } from '../../../rest-facade/kernel/rules.ts';

const read = (kind: z.ZodType, value: unknown) => {
  const { params, problem } = readerOf(z.object({ x: kind }))(merged({ x: value }, {}, {}));
  return problem ?? params.x;
};

describe('text', () => {
  test.each([
    ['abc', 'abc'],
    ['', ''],
    [12, '12'],
    [true, 'true'],
    [undefined, 'x is missing'],
    [null, 'x is missing'],
    [['a'], 'x is invalid'],
    [{}, 'x is invalid'],
    ['a\0b', 'x is invalid'],
    ['\ud800', 'x is invalid'],
    ['😀', '😀'],
  ])('%j reads %j', (value, expected) => expect(read(p.text(), value)).toEqual(expected));

  test('can be required to be non-blank, and to have a maximum length', () => {
    expect(read(p.text({ isFilled: true }), ' ')).toBe('x is empty');
    expect(read(p.text({ longest: 3 }), 'abcd')).toBe('x is invalid');
  });
});

describe('integers', () => {
  test.each([
    ['12', 12],
    [12, 12],
    ['-1', -1],
    ['2147483647', 2147483647],
    ['2147483648', 'x is invalid'],
    [2 ** 40, 'x is invalid'],
    [1.5, 'x is invalid'],
    ['1.0', 'x is invalid'],
    ['1e3', 'x is invalid'],
    ['0x10', 'x is invalid'],
    ['', 'x is invalid'],
    [' 1', 'x is invalid'],
    [true, 'x is invalid'],
  ])('%j reads %j', (value, expected) => expect(read(p.int(), value)).toEqual(expected));

  test.each([
    ['9'.repeat(400), 2147483647],
    [`-${'9'.repeat(400)}`, -2147483647],
    [2 ** 40, 2147483647],
    [Number('1e400'), 2147483647],
    ['1.5', 'x is invalid'],
    [1.5, 'x is invalid'],
    ['1e3', 'x is invalid'],
    [true, 'x is invalid'],
  ])('clamped: %j reads %j', (value, expected) =>
    expect(read(p.clampedInt(), value)).toEqual(expected),
  );

  test('can have bounds', () => {
    expect(read(p.int({ least: 1, most: 5 }), '6')).toBe('x does not have a valid value');
  });

  test('an id beyond the range of the column becomes an id without a record', () => {
    expect(read(p.id(), '99999999999')).toBe(0);
    expect(read(p.id(), 'abc')).toBe('x is invalid');
  });
});

describe('flags', () => {
  test.each([
    ...['true', '1', 't', 'yes', 'y', 'on', 'TRUE', 'On', true, 1].map((v) => [v, true]),
    ...['false', '0', 'f', 'no', 'n', 'off', 'False', false, 0].map((v) => [v, false]),
    ...['maybe', '', 2, '2', [], {}].map((v) => [v, 'x is invalid']),
  ])('%j reads %j', (value, expected) => expect(read(p.flag(), value)).toEqual(expected));
});

describe('lists', () => {
  test.each([
    ['a, b,,c ', ['a', 'b', 'c']],
    ['', []],
    [
      ['a', 1, ''],
      ['a', '1'],
    ],
    [{ 0: 'a', 1: 'b' }, ['a', 'b']],
    [{ k: 'a' }, 'x is invalid'],
    [[['a']], 'x is invalid'],
    [['a\0'], 'x is invalid'],
    [3, 'x is invalid'],
  ])('%j reads %j', (value, expected) => expect(read(p.list(), value)).toEqual(expected));

  test('of integers can be text', () => {
    expect(read(p.intList(), '1, 2')).toEqual([1, 2]);
    expect(read(p.intList(), ['1', 2])).toEqual([1, 2]);
    expect(read(p.intList(), '1,a')).toBe('x is invalid');
  });
});

describe('other types', () => {
  test('a choice accepts its texts only', () => {
    expect(read(p.choice(['asc', 'desc']), 'asc')).toBe('asc');
    expect(read(p.choice(['asc', 'desc']), 'up')).toBe('x does not have a valid value');
    expect(read(p.choice(['0', '1']), 1)).toBe('1');
  });

  test.each([
    ['2024-02-29', '2024-02-29'],
    ['2024-02-29T10:00:00Z', '2024-02-29'],
    ['2023-02-29', 'x is invalid'],
    ['29.2.2024', 'x is invalid'],
    ['0000-01-01', 'x is invalid'],
  ])('the day %j reads %j', (value, expected) => expect(read(p.date(), value)).toBe(expected));

  test.each([
    ['2016-08-11T11:28:34Z', '2016-08-11T11:28:34.000Z'],
    ['2016-08-11T11:28:34.085+02:00', '2016-08-11T09:28:34.085Z'],
    ['2016-08-11T11:28:34 02:00', '2016-08-11T09:28:34.000Z'],
    ['2016-08-11', '2016-08-11T00:00:00.000Z'],
    ['2016-08-11 11:28', '2016-08-11T11:28:00.000Z'],
    ['2016-08-11T25:00:00Z', 'x is invalid'],
    ['now', 'x is invalid'],
  ])('the time %j reads %j', (value, expected) => expect(read(p.time(), value)).toBe(expected));

  test('a hash accepts scalars as text and ignores prototypes', () => {
    expect(read(p.hash(), { A: 1, B: 'b' })).toEqual({ A: '1', B: 'b' });
    expect(read(p.hash(), JSON.parse('{"__proto__": "x", "A": "a"}'))).toEqual({ A: 'a' });
    expect(read(p.hash(), { A: {} })).toBe('x is invalid');
    expect(read(p.hash(), ['a'])).toBe('x is invalid');
  });
});

describe('a set of parameters', () => {
  const reader = readerOf(
    z.object({
      name: p.text().optional(),
      path: p.text({ isFilled: true }).optional(),
      count: p.int().optional(),
      tags: p.list().optional(),
      note: p.text().nullable().optional(),
      level: p.int(),
    }),
  );

  test('reports all errors together', () => {
    expect(reader(merged({ count: 'a', path: ' ' }, {}, {})).problem).toBe(
      'path is empty, count is invalid, level is missing',
    );
  });

  test('blank and null values of optional parameters count as absent unless they are values', () => {
    const raw = { name: '', count: '', tags: '', note: null, path: null, level: '1' };
    expect(reader(merged(raw, {}, {})).params).toEqual({
      name: '',
      tags: [],
      note: null,
      level: 1,
    });
  });

  test('drops undeclared parameters', () => {
    const sent = JSON.parse('{"level": 1, "admin": true, "__proto__": {"name": "x"}}');
    expect(reader(merged({ constructor: 'x' }, sent, {})).params).toEqual({ level: 1 });
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  test('the path overrides the body, and the body the query', () => {
    const raw = merged({ level: 1, name: 'query' }, { level: 2, name: 'body' }, { level: '3' });
    expect(reader(raw).params).toEqual({ level: 3, name: 'body' });
  });

  test('checks rules about several parameters', () => {
    const shape = { a: p.int().optional(), b: p.int().optional() };
    const reader = readerOf(atLeastOne(z.object(shape), 'a', 'b'));
    const missing = 'a, b are missing, at least one parameter must be provided';
    expect(reader(merged({ a: '' }, {}, {})).problem).toBe(missing);
    expect(reader(merged({ b: 1 }, {}, {})).problem).toBeUndefined();
    const withRequired = readerOf(atLeastOne(z.object({ ...shape, c: p.text() }), 'a', 'b'));
    expect(withRequired(merged({}, {}, {})).problem).toBe(`c is missing, ${missing}`);
    const both = readerOf(allOrNone(z.object(shape), 'a', 'b'));
    const half = 'a, b provide all or none of parameters';
    expect(both(merged({ a: 1 }, {}, {})).problem).toBe(half);
    expect(both(merged({ a: null, b: 1 }, {}, {})).problem).toBe(half);
    expect(both(merged({ a: 1, b: 1 }, {}, {})).problem).toBeUndefined();
    expect(both(merged({}, {}, {})).problem).toBeUndefined();
    expect(both(merged({ a: 'x' }, {}, {})).problem).toBe(`a is invalid, ${half}`);
  });
});

describe('a query string', () => {
  test.each([
    ['a=1&a=2', { a: '2' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a%5B%5D=1', { a: ['1'] }],
    ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
    ['v[KEY]=1', { v: { KEY: '1' } }],
    ['a+b=c%20d', { 'a b': 'c d' }],
    ['__proto__[x]=1', {}],
  ])('%s reads %j', (text, expected) => expect(parseParameters(text)).toEqual(expected));

  test.each(['a=%FF', 'a=%', `a${'[x]'.repeat(30)}=1`, 'a=1&'.repeat(2000), 'a[]=1&'.repeat(2000)])(
    'is rejected if it is malformed or too large (%#)',
    (text) => expect(() => parseParameters(text)).toThrow('400 Bad Request'),
  );
});
