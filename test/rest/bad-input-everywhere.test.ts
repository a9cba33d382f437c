import { stringify } from 'qs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { routes } from '../../rest-facade/index.ts';
import type { Client, Parameters } from '../support/client.ts';
import { world } from '../support/world.ts';

const { as, seed, root } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: group } = await seed.group('acme', { owner: ada }, { visibility: 'public' });
const { id: project } = await seed.project('acme/app', { master: ada }, { visibility: 'public' });
await seed.push('acme/app', { 'README.md': '# App' });

const callers = { anybody: as(null), 'a user': as(ada), 'an administrator': as(root) } as const;

type Route = (typeof routes)[number];

/** What no parameter hopes for; some are right for one kind and wrong for all others. */
const odd: readonly unknown[] = [
  ...['', ' ', ' 1', '0x1', '-1', '99999999999', '9'.repeat(400), 'NaN', 'x'.repeat(20_000)],
  ...[
    'a\0b',
    '\ud800',
    '\u202eabc',
    '😀',
    'e\u0301'.repeat(200),
    'İ',
    '\r\nX-Evil: 1',
    '../..',
    '.',
  ],
  ...['%_\\', "' OR 1=1 --", '1,x', '2017-02-30', '0000-01-01', '9999-12-31', 'asc', 'a@b'],
  ...[0, -1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 63, 1e300, true, null],
  ...[
    [],
    ['a'],
    [1, 'x'],
    [[1]],
    [null],
    [{}],
    Array(900).fill(1),
    {},
    { a: 'b' },
    { 0: { a: [] } },
  ],
];

let count = 0;
/** What each parameter hopes for, where it is not free text. */
const usual = (): Parameters => {
  count += 1;
  return {
    name: `n${count}`,
    path: `p${count}`,
    username: `u${count}`,
    email: `u${count}@example.com`,
    reset_password: true,
    namespace_id: group,
    parent_id: group,
    group_id: group,
    group_access: 10,
    user_id: bob.id,
    access_level: 10,
    scopes: 'api',
    login: 'nobody',
    password: 'a password',
  };
};

const fieldsOf = ({ operation }: Route): Readonly<Record<string, z.ZodType>> => {
  if (!(operation.params instanceof z.ZodObject)) throw new Error('parameters are an object');
  return operation.params.shape as Record<string, z.ZodType>;
};

const isInPath = ({ path }: Route, name: string) => path.split('/').includes(`:${name}`);

/** A flag is on, off or refused: there is nothing to find behind it. */
const isFlag = (kind: z.ZodType) => kind.safeParse('off').success && !kind.safeParse('x').success;

const namesOf = (route: Route) => Object.keys(fieldsOf(route)).filter((n) => !isInPath(route, n));

const chosen = (names: readonly string[], values: Parameters): Parameters =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]));

/** The address with what is there in it; what is removed is never there, so that it stays. */
const addressOf = ({ method, path }: Route, segment?: string): string => {
  const source = path.startsWith('/users') ? bob.id : path.startsWith('/groups') ? group : project;
  const there: Parameters = {
    ':id': source,
    ':user_id': bob.id,
    ':group_id': group,
    ':sha': 'master',
  };
  return path.replace(/:\w+/g, (name) => {
    if (segment !== undefined) return segment;
    return method === 'delete' ? '999999' : String(there[name] ?? 1);
  });
};

interface Try {
  readonly route: Route;
  readonly address: string;
  readonly params?: Parameters;
  readonly as?: 'json' | 'form';
}

const send = (client: Client, { route, address, params = {}, as: way = 'json' }: Try) => {
  const method = route.method.toUpperCase();
  // longer addresses do not reach us
  if (method === 'GET') return client.fetch(`${address}?${stringify(params).slice(0, 12_000)}`);
  const body = way === 'json' ? JSON.stringify(params) : stringify(params);
  const type = way === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  return client.fetch(address, { method, body, headers: { 'Content-Type': type } });
};

/** Why an answer is none that a client can read, or null. */
async function faultOf(response: Response): Promise<string | null> {
  const { status } = response;
  const type = response.headers.get('Content-Type');
  const text = await response.text();
  if (status >= 500) return `${status} ${text}`;
  if (status === 204 || status === 304) return text === '' && type === null ? null : 'has a body';
  if (type === 'application/json') return JSON.parse(text) === undefined ? 'no JSON' : null;
  return status < 300 && response.url.endsWith('/raw?') ? null : `${status} as ${type}`;
}

/** Sends everything, a few at a time; gives what was not answered as it should be. */
async function faultsOf(client: Client, tries: readonly Try[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const waiting = tries.values();
  const sendAll = async () => {
    for (const attempt of waiting) {
      const fault = await faultOf(await send(client, attempt));
      const { route, params } = attempt;
      const text = JSON.stringify(params).slice(0, 200);
      if (fault) faults.push(`${route.method} ${attempt.address} ${text}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, sendAll));
  return faults;
}

/** Signing in is throttled, and slow by intention. */
const quick = routes.filter(({ path }) => path !== '/session');

describe.each(Object.entries(callers))('what %s sends', (_who, client) => {
  test('is answered when every parameter is odd', async () => {
    const tries = quick.flatMap((route) =>
      odd.map((value, n): Try => {
        const names = [...namesOf(route), 'page', 'per_page'];
        const params = Object.fromEntries(names.map((name) => [name, value]));
        return { route, address: addressOf(route), params, as: n % 2 === 0 ? 'json' : 'form' };
      }),
    );
    expect(await faultsOf(client, tries)).toEqual([]);
  });

  test('is answered when the address is odd', async () => {
    const texts = odd.filter((value) => typeof value === 'string' && value.length < 1000);
    const segments = texts.map((text) => stringify({ '': text }).slice(1).replaceAll('.', '%2E'));
    const tries = quick
      .filter(({ path }) => path.includes(':'))
      .flatMap((route) =>
        segments.map((segment): Try => ({ route, address: addressOf(route, segment || '%20') })),
      );
    expect(await faultsOf(client, tries)).toEqual([]);
  });
});

test('one odd parameter among good ones is answered', async () => {
  const tries = quick.flatMap((route) => {
    const names = namesOf(route);
    const searched = names.filter((name) => !isFlag(fieldsOf(route)[name] as z.ZodType));
    return searched.flatMap((name) =>
      odd.map((value): Try => {
        const good = route.method === 'get' ? {} : chosen(names, usual());
        return { route, address: addressOf(route), params: { ...good, [name]: value } };
      }),
    );
  });
  expect(await faultsOf(callers['an administrator'], tries)).toEqual([]);
});
