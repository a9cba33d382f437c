import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SoapFault } from '../../soap-facade/kernel/faults.ts';
import { readCall } from '../../soap-facade/kernel/read-call.ts';
import { serviceOf } from '../../soap-facade/kernel/service.ts';

const service = serviceOf(readFileSync('soap-facade/service.wsdl', 'utf8'));

/** Messages of PHP 8.2 in WSDL mode; each follows a line with its headers. */
const recorded = readFileSync('test/fixtures/soap/php-wsdl.txt', 'utf8')
  .split(/^\{"ct".*\}$/m)
  .slice(1)
  .map((text) => text.trim());

const read = (text: string) => {
  try {
    const { operation, given } = readCall(text, service);
    return [operation.name, ...given];
  } catch (error) {
    if (!(error instanceof SoapFault)) throw error;
    return [error.code, error.message];
  }
};

const session = '"x"';
const cutOff = ['SOAP-ENV:Client', 'Bad Request'];

/** The arguments of the calls of `dump` and `echo`. */
const values: readonly unknown[] = [
  'hällo & <wörld>',
  '  lead\n trail \n',
  '007',
  '',
  ' ',
  42,
  -7,
  1.5,
  true,
  false,
  null,
  ['a', 'b'],
  ['only'],
  [1, 2, 3],
  ['a', 1, true, null, { k: 'v' }],
  [],
  { a: 1, b: 'two' },
  { filter: { active: true, ids: [1, 2], deep: { x: { y: { z: null } } } }, page: 1 },
  [{ filter: { state: ['opened', 'closed'] } }, 7],
  { 'with space': 1, 'a<b': 2, constructor: 4, toString: 5 },
  { 5: 'five', 9: 'nine' },
  [
    [1, 2],
    [3, 4],
  ],
  [{ id: 1 }, { id: 2 }],
  { 10: 'x', b: 'y' },
  '<?xml version="1.0"?><a>b</a>',
  'a\r\nb\tc',
  '😀 ok',
];

const shared = { v: 'shared' };

const expected = [
  ['startSession'],
  ['login', 'alice', 'secret'],
  ...values.map((value) => ['call', session, 'dump', value]),
  cutOff,
  ...values.map((value) => ['call', session, 'echo', value]),
  cutOff,
  ['call', session, 'dump', { id: 3, name: 'struct', sub: { ok: true }, list: [1, 2] }],
  ['call', session, 'dump', [shared, shared, { k: shared }]],
  ['call', session, 'dump', ['2024-01-02T03:04:05Z', 'Ymlu']],
  ['call', session, 'project.list', []],
  [
    'multiCall',
    session,
    [['echo', 'a'], ['echo', [{ x: 1 }]], ['project.info', 3], ['nosuch.method']],
    null,
  ],
  ['resources', session],
  ['globalFaults', session],
  ['resourceFaults', 'project', session],
  ['call', 'nope', 'echo', 1],
  ['login', 'alice', 'wrong'],
  ['call', session, 'nosuch.method', []],
  ['call', session, 'crash', []],
  ['SOAP-ENV:Client', 'Invalid member name'],
  ['endSession', session],
  ['call', session, 'echo', 1],
];

test('every recording has an expected value', () => {
  expect(recorded.length).toBe(expected.length);
});

test.each(expected.map((value, place) => [place, value] as const))(
  'recording %i has the arguments that PHP sent',
  (place, value) => {
    expect(read(recorded[place] ?? '')).toEqual(value);
  },
);
