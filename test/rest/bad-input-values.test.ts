import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: group } = await seed.group('acme', { owner: ada });
const { id: tools } = await seed.group('acme/tools');
const { id: project } = await seed.project('acme/app', { master: ada }, { description: '100%_\\' });

const projectListings = [
  '/projects',
  `/users/${ada.username}/projects`,
  `/groups/${group}/projects`,
] as const;
const groupListings = ['/groups', `/groups/${group}/subgroups`] as const;
const otherListings = [
  '/namespaces',
  '/users',
  `/projects/${project}/users`,
  `/projects/${project}/members`,
  `/groups/${group}/members`,
  `/users/${bob.id}/impersonation_tokens`,
  `/users/${bob.id}/emails`,
  '/user/emails',
  '/user/activities',
] as const;

describe.each([...projectListings, ...groupListings, ...otherListings])('pages of %s', (path) => {
  test.each(['page=x', 'page=1.5', 'page=0x1', 'page=%201', 'page=1e30', 'page[]=1'])(
    '%s is rejected',
    async (query) => {
      expect(await as(root).get(`${path}?${query}`)).toEqual(refused.parameter('page is invalid'));
    },
  );

  test.each(['per_page=x', 'per_page=1e1', 'per_page=9223372036854775808x'])(
    '%s is rejected',
    async (query) => {
      expect(await as(root).get(`${path}?${query}`)).toEqual(
        refused.parameter('per_page is invalid'),
      );
    },
  );

  test.each(['page=2147483648', 'per_page=2147483648', `per_page=${'9'.repeat(400)}`])(
    '%s is clamped',
    async (query) => {
      expect((await as(root).get(`${path}?${query}`)).status).toBe(200);
    },
  );

  test('per_page=0 is rejected, other values are clamped', async () => {
    expect(await as(root).get(`${path}?per_page=0`)).toEqual(
      refused.parameter('per_page does not have a valid value'),
    );
    for (const [query, page, size] of [
      ['page=0&per_page=1000', '1', '100'],
      ['page=-7&per_page=-1', '1', '20'],
      ['page=&per_page=', '1', '20'],
      ['page=1&page=2&per_page=3&per_page=4', '2', '4'],
    ]) {
      const { status, headers } = await as(root).fetch(`${path}?${query}`);
      expect([status, headers.get('X-Page'), headers.get('X-Per-Page')]).toEqual([200, page, size]);
    }
  });

  test('a page after the last is empty', async () => {
    const response = await as(root).fetch(`${path}?page=1000000000&per_page=100`);
    expect(await response.json()).toEqual([]);
    expect(response.headers.get('X-Page')).toBe('1000000000');
    expect(response.headers.get('X-Next-Page')).toBe('');
    expect(response.headers.get('X-Prev-Page')).toBe('');
  });
});

describe.each(projectListings)('filters of %s', (path) => {
  test.each([
    ['order_by=size', 'order_by does not have a valid value'],
    ['order_by=NAME', 'order_by does not have a valid value'],
    ['order_by=name;--', 'order_by does not have a valid value'],
    ['order_by[]=name', 'order_by is invalid'],
    ['sort=up', 'sort does not have a valid value'],
    ['visibility=secret', 'visibility does not have a valid value'],
    ['visibility[a]=public', 'visibility is invalid'],
    ['archived=2', 'archived is invalid'],
    ['simple=perhaps', 'simple is invalid'],
    ['owned[]=true', 'owned is invalid'],
    ['membership=nil', 'membership is invalid'],
    ['starred=-', 'starred is invalid'],
    ['with_issues_enabled=%20true', 'with_issues_enabled is invalid'],
    ['with_merge_requests_enabled=truee', 'with_merge_requests_enabled is invalid'],
    ['search[]=app', 'search is invalid'],
    ['search=%ED%A0%80', null],
    ['search=a%00b', 'search is invalid'],
  ])('%s is rejected', async (query, text) => {
    const expected = text
      ? refused.parameter(text)
      : { status: 400, body: { error: '400 Bad Request' } };
    expect(await as(ada).get(`${path}?${query}`)).toEqual(expected);
  });
});

test('wildcards of SQL patterns are searched for literally', async () => {
  const search = async (text: string) => {
    const { body } = await as(ada).get(`/projects?search=${encodeURIComponent(text)}`);
    return (body as { id: number }[]).map(({ id }) => id);
  };
  for (const text of ['%', '_', '\\', '0%_', '%_\\']) expect(await search(text)).toEqual([project]);
  for (const text of ['a%p', 'a_p', '\\%', '%%', "'", '"', '.*', '[a]']) {
    expect(await search(text)).toEqual([]);
  }
});

test.each([
  '/projects',
  '/groups',
  '/namespaces',
  '/users',
  '/issues',
  '/merge_requests',
  `/projects/${project}/users`,
  `/projects/${project}/labels`,
  `/projects/${project}/milestones`,
])('%s rejects a search text of more than 255 characters', async (path) => {
  const text = '%'.repeat(256);
  expect(await as(ada).get(`${path}?search=${encodeURIComponent(text)}`)).toEqual({
    status: 400,
    body: { message: { search: ['is too long (maximum is 255 characters)'] } },
  });
  const search = encodeURIComponent(text.slice(1));
  expect((await as(ada).get(`${path}?search=${search}`)).status).toBe(200);
});

test('skip_groups accepts a thousand groups', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => n + 1_000_000);
  const groupIds = (body: unknown) => (body as { id: number }[]).map(({ id }) => id);
  expect(groupIds((await as(ada).get(`/groups?skip_groups=${ids}`)).body)).toEqual([group, tools]);
  expect(groupIds((await as(ada).get(`/groups?skip_groups=${[group, ...ids]}`)).body)).toEqual([
    tools,
  ]);
});

describe('a path in other case or encoding', () => {
  test.each(['acme%2Fapp', 'ACME%2FApp', '%61cme%2fapp', 'acme%2Fap%70', 'acme%2Fapp/'])(
    '%s is the project',
    async (path) => {
      expect((await as(ada).get(`/projects/${path}`)).body).toMatchObject({ id: project });
    },
  );

  test.each(['acme', 'ACME', '%41cme', 'acme/'])('%s is the group', async (path) => {
    expect((await as(ada).get(`/groups/${path}`)).body).toMatchObject({ id: group });
  });

  test.each(['acme%252Fapp', 'acme%2F%2Fapp', '%2Facme%2Fapp', 'acme%2Fapp%2F', 'acme%5Capp'])(
    '%s gives 404',
    async (path) => {
      expect(await as(ada).get(`/projects/${path}`)).toEqual(refused.missing('Project'));
    },
  );
});

describe('dates', () => {
  const impossibleDates = [
    '2017-02-30',
    '2030-02-29',
    '2030-1-1',
    '20300101',
    'tomorrow',
    '0000-01-01',
  ];
  const invalidDates = [
    ...impossibleDates,
    '10000-01-01',
    '-001-01-01',
    1_700_000_000,
    true,
    ['2030-01-01'],
    {},
  ];

  test.each(invalidDates)('%j is rejected', async (day) => {
    const grant = { user_id: bob.id, access_level: 10, expires_at: day };
    const share = { group_id: tools, group_access: 10, expires_at: day };
    const token = { name: 'x', scopes: ['api'], expires_at: day };
    const responses = [
      await as(ada).post(`/projects/${project}/members`, grant),
      await as(ada).post(`/groups/${group}/members`, grant),
      await as(ada).post(`/projects/${project}/share`, share),
      await as(root).post(`/users/${bob.id}/impersonation_tokens`, token),
    ];
    expect(responses).toEqual(Array(4).fill(refused.parameter('expires_at is invalid')));
  });

  test.each([null, ''])('%j means no expiry date', async (day) => {
    const grant = { user_id: bob.id, access_level: 10, expires_at: day };
    expect(await as(ada).post(`/projects/${project}/members`, grant)).toMatchObject({
      status: 201,
      body: { expires_at: null },
    });
    await as(ada).delete(`/projects/${project}/members/${bob.id}`);
  });
});

describe('request bodies', () => {
  const send = async (body: string | Uint8Array<ArrayBuffer>, type: string, method = 'POST') => {
    const path = method === 'POST' ? '/projects' : `/projects/${project}`;
    const response = await as(ada).fetch(path, { method, body, headers: { 'Content-Type': type } });
    return { status: response.status, body: await response.json() };
  };
  const form = 'application/x-www-form-urlencoded';
  const json = 'application/json';
  const unreadable = refused.parameter('message body does not match declared format');
  const undecoded = refused.parameter('400 Bad Request');
  const blank = refused.invalid({ name: ["can't be blank"], path: ["can't be blank"] });

  test.each(['text/plain', 'application/xml', 'junk', `${json}; charset=latin1`, `${form}x`])(
    'the type %s is rejected',
    async (type) => {
      const text = `The requested content-type '${type}' is not supported.`;
      expect(await send('name=x', type)).toEqual({ status: 406, body: { error: text } });
      expect(await send('name=x', type, 'DELETE')).toEqual({ status: 406, body: { error: text } });
    },
  );

  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['broken', '{"name":'],
    ['no number', '{"name":NaN}'],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('JSON that is %s is rejected, also with DELETE', async (_label, body) => {
    expect(await send(body, json)).toEqual(unreadable);
    expect(await send(body, json, 'DELETE')).toEqual(unreadable);
  });

  test.each(['name=%ff', 'name=%zz', 'name=%', `a=1${'&a=1'.repeat(1000)}`])(
    'a malformed form is rejected (%#)',
    async (body) => expect(await send(body, form)).toEqual(undecoded),
  );

  test('the last of two values of one name counts', async () => {
    expect(await send('{"name":"first","name":""}', json)).toEqual(blank);
    expect(await send('name=first&name=', form)).toEqual(blank);
  });
});

describe('records of another user', () => {
  test('an address or token is not found under another user', async () => {
    const { body: email } = await as(root).post(`/users/${bob.id}/emails`, { email: 'b@b.org' });
    const { body: token } = await as(root).post(`/users/${bob.id}/impersonation_tokens`, {
      name: 'x',
      scopes: ['api'],
    });
    const { id: emailId } = email as { id: number };
    const { id: tokenId } = token as { id: number };
    expect(await as(ada).get(`/user/emails/${emailId}`)).toEqual(refused.missing('Email'));
    expect(await as(ada).delete(`/user/emails/${emailId}`)).toEqual(refused.missing('Email'));
    expect(await as(root).delete(`/users/${ada.id}/emails/${emailId}`)).toEqual(
      refused.missing('Email'),
    );
    expect(await as(root).delete(`/users/${ada.id}/impersonation_tokens/${tokenId}`)).toEqual(
      refused.missing('Impersonation Token'),
    );
  });
});
