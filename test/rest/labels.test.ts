import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root } = await world();
const ada = await seed.user('ada');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
const eve = await seed.user('eve', { isExternal: true });

const roles = { master: ada, reporter: rita, guest: gus };
const { id: acme } = await seed.group('acme', { owner: ada });
const { id: tools } = await seed.group('acme/tools', { reporter: rita, guest: gus });
const { id: app } = await seed.project('acme/tools/app', roles);

let labelCount = 0;
/** A new project for a test that changes it. */
const createParent = async (settings = {}) => {
  labelCount += 1;
  const { id } = await seed.project(`acme/tools/fresh-${labelCount}`, roles, settings);
  return { id, labels: `/projects/${id}/labels` };
};

const shape = (name: string, overrides: object = {}) => ({
  id: expect.any(Number),
  name,
  color: '#428BCA',
  description: null,
  open_issues_count: 0,
  closed_issues_count: 0,
  open_merge_requests_count: 0,
  priority: null,
  subscribed: false,
  ...overrides,
});

const createLabel = async (path: string, name: string, overrides: object = {}): Promise<number> => {
  const { status, body } = await as(root).post(path, { name, color: '#428BCA', ...overrides });
  expect(status).toBe(201);
  return (body as { id: number }).id;
};

const above = await createLabel(`/groups/${acme}/labels`, 'above');
await createLabel(`/groups/${tools}/labels`, 'near');

describe.each([
  { parent: 'projects', what: 'Project', id: app, inherited: ['above', 'near'] },
  { parent: 'groups', what: 'Group', id: tools, inherited: ['above'] },
])('labels of $parent', ({ parent, what: resource, id, inherited }) => {
  const labels = `/${parent}/${id}/labels`;

  describe(`GET /${parent}/:id/labels`, () => {
    test('users who see the parent see its labels and those of the ancestor groups, by name', async () => {
      const bug = await createLabel(labels, 'bug', { description: 'It fails' });
      for (const person of [gus, rita, ada, root]) {
        const { status, body } = await as(person).get(labels);
        expect(status).toBe(200);
        expect((body as { name: string }[]).map(({ name }) => name)).toEqual(
          [...new Set([...inherited, 'bug', ...(parent === 'groups' ? ['near'] : [])])].toSorted(),
        );
        expect(body).toContainEqual(shape('bug', { id: bug, description: 'It fails' }));
      }
      await as(ada).delete(`${labels}/${bug}`);
    });

    test('is paginated and searched', async () => {
      const names = async (query: string) =>
        ((await as(gus).get(`${labels}?${query}`)).body as { name: string }[]).map((l) => l.name);
      expect(await names('per_page=1')).toEqual(['above']);
      expect(await names('search=BOV')).toEqual(['above']);
      expect(await names('search=%25')).toEqual([]);
      const { headers } = await as(gus).fetch(`${labels}?per_page=1&page=2`);
      expect(headers.get('X-Total')).toBe('2');
    });

    test('anonymous users get 401, non-members 404', async () => {
      expect(await as(null).get(labels)).toEqual(refused.anonymous);
      expect(await as(sam).get(labels)).toEqual(refused.missing(resource));
      expect(await as(gus).get(`/${parent}/0/labels`)).toEqual(refused.missing(resource));
    });
  });

  describe(`GET /${parent}/:id/labels/:label_id`, () => {
    test('accepts an id or a name, also of an ancestor group’s label', async () => {
      const expected = { status: 200, body: shape('above', { id: above }) };
      expect(await as(gus).get(`${labels}/${above}`)).toEqual(expected);
      expect(await as(gus).get(`${labels}/above`)).toEqual(expected);
    });

    test('a missing label responds with 404', async () => {
      expect(await as(gus).get(`${labels}/none`)).toEqual(refused.missing('Label'));
      expect(await as(gus).get(`${labels}/99999999999`)).toEqual(refused.missing('Label'));
      expect(await as(sam).get(`${labels}/above`)).toEqual(refused.missing(resource));
      expect(await as(null).get(`${labels}/above`)).toEqual(refused.anonymous);
    });
  });

  describe(`POST /${parent}/:id/labels`, () => {
    test('a reporter creates a label; its name is trimmed', async () => {
      const input = { name: ' قيد 🚧 ', color: '#fA0', description: 'Going on' };
      expect(await as(rita).post(labels, input)).toEqual({
        status: 201,
        body: shape('قيد 🚧', { color: '#ffAA00', description: 'Going on' }),
      });
      await as(rita).delete(`${labels}/${encodeURIComponent('قيد 🚧')}`);
    });

    test('anonymous users, non-members and guests are refused', async () => {
      const input = { name: 'x', color: '#fff' };
      expect(await as(null).post(labels, input)).toEqual(refused.anonymous);
      expect(await as(sam).post(labels, input)).toEqual(refused.missing(resource));
      expect(await as(gus).post(labels, input)).toEqual(refused.forbidden);
    });

    test('the name and the colour are required', async () => {
      expect(await as(gus).post(labels, {})).toEqual(
        refused.parameter('name is missing, color is missing'),
      );
    });

    test.each([
      ['red', '#ff0000'],
      [' ReBeccaPurple ', '#663399'],
      ['#0aF', '#00aaFF'],
      ['#428BCA', '#428BCA'],
      ['#428bca', '#428bca'],
    ])('the colour %j is stored and shown as %s', async (color, shown) => {
      const { status, body } = await as(rita).post(labels, { name: 'coloured', color });
      expect({ status, body }).toEqual({ status: 201, body: shape('coloured', { color: shown }) });
      expect(await as(rita).get(`${labels}/coloured`)).toMatchObject({ body: { color: shown } });
      expect(await as(rita).put(`${labels}/coloured`, { color: 'Navy' })).toMatchObject({
        status: 200,
        body: { color: '#000080' },
      });
      await as(rita).delete(`${labels}?name=coloured`);
    });

    test.each([
      ...['reddish', 'toString', '__proto__', 'transparent', 'red;', 'rgb(0,0,0)'],
      ...['#ff', '#ggg', '#12345', '#1234567', '', '#fff\n#fff'],
    ])('the colour %j is rejected', async (color) => {
      expect(await as(rita).post(labels, { name: 'x', color })).toEqual(
        refused.invalid({ color: ['must be a valid color code'] }),
      );
    });

    test.each([
      ['a,b', 'is invalid'],
      [' ', "can't be blank"],
      ['x'.repeat(256), 'is too long (maximum is 255 characters)'],
    ])('the name %j is rejected', async (name, error) => {
      expect(await as(rita).post(labels, { name, color: '#fff' })).toEqual(
        refused.invalid({ title: [error] }),
      );
    });

    test('a name of an existing label, also of an ancestor group, is rejected', async () => {
      const alreadyTaken = refused.conflict('Label already exists');
      expect(await as(rita).post(labels, { name: 'above', color: '#fff' })).toEqual(alreadyTaken);
      const id = await createLabel(labels, 'mine');
      expect(await as(rita).post(labels, { name: 'mine ', color: '#fff' })).toEqual(alreadyTaken);
      await as(rita).delete(`${labels}/${id}`);
    });

    test('50 concurrent requests with one name create one label', async () => {
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => as(rita).post(labels, { name: 'once', color: '#fff' })),
      );
      const statuses = responses.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([201, ...Array(49).fill(409)]);
      await as(rita).delete(`${labels}?name=once`);
    });
  });

  describe(`PUT /${parent}/:id/labels`, () => {
    test('updates the given fields', async () => {
      const id = await createLabel(labels, 'old', { description: 'Was' });
      const unchanged = { id, description: 'Was' };
      expect(await as(rita).put(labels, { name: 'old', new_name: 'new' })).toEqual({
        status: 200,
        body: shape('new', unchanged),
      });
      expect(await as(rita).put(`${labels}/${id}`, { color: '#000' })).toEqual({
        status: 200,
        body: shape('new', { ...unchanged, color: '#000000' }),
      });
      expect(await as(rita).put(`${labels}/new`, { description: null })).toEqual({
        status: 200,
        body: shape('new', { id, color: '#000000' }),
      });
      expect((await as(rita).put(labels, { label_id: id, new_name: 'new' })).status).toBe(200);
      await as(rita).delete(`${labels}?name=new`);
    });

    test('anonymous users, non-members and guests are refused', async () => {
      const change = { name: 'near', new_name: 'far' };
      for (const path of [labels, `${labels}/near`]) {
        expect(await as(null).put(path, change)).toEqual(refused.anonymous);
        expect(await as(sam).put(path, change)).toEqual(refused.missing(resource));
        expect(await as(gus).put(path, change)).toEqual(refused.forbidden);
      }
    });

    test('a label and at least one change are required', async () => {
      const names = `new_name, color, description${parent === 'projects' ? ', priority' : ''}`;
      const missing = `${names} are missing, at least one parameter must be provided`;
      expect(await as(rita).put(labels, { name: 'x' })).toEqual(refused.parameter(missing));
      expect(await as(rita).put(`${labels}/x`)).toEqual(refused.parameter(missing));
      expect(await as(rita).put(labels, {})).toEqual(
        refused.parameter(`name is missing, ${missing}`),
      );
    });

    test('a missing label, and a label of an ancestor group, respond with 404', async () => {
      const change = { new_name: 'x' };
      for (const name of ['none', 'above']) {
        expect(await as(rita).put(labels, { ...change, name })).toEqual({
          status: 404,
          body: { message: '404 Label not found Not Found' },
        });
        expect(await as(rita).put(`${labels}/${name}`, change)).toEqual(refused.missing('Label'));
      }
    });

    test('invalid values and names of existing labels are rejected', async () => {
      const id = await createLabel(labels, 'it');
      const put = (change: object) => as(rita).put(`${labels}/${id}`, { ...change });
      expect(await put({ new_name: 'a,b', color: 'reddish' })).toEqual(
        refused.invalid({ title: ['is invalid'], color: ['must be a valid color code'] }),
      );
      expect(await put({ new_name: 'above' })).toEqual(
        refused.invalid({ title: ['has already been taken'] }),
      );
      await as(rita).delete(`${labels}/${id}`);
    });
  });

  describe(`DELETE /${parent}/:id/labels`, () => {
    test('a reporter deletes a label by name or id', async () => {
      for (const suffix of [(_id: number) => '?name=deleted', (id: number) => `/${id}`]) {
        const id = await createLabel(labels, 'deleted');
        expect(await as(gus).delete(`${labels}${suffix(id)}`)).toEqual(refused.forbidden);
        expect(await as(null).delete(`${labels}${suffix(id)}`)).toEqual(refused.anonymous);
        expect(await as(sam).delete(`${labels}${suffix(id)}`)).toEqual(refused.missing(resource));
        expect(await as(rita).delete(`${labels}${suffix(id)}`)).toEqual({
          status: 204,
          body: null,
        });
        expect(await as(rita).delete(`${labels}${suffix(id)}`)).toEqual(refused.missing('Label'));
      }
    });

    test('the name is required, and must be one of the parent’s own labels', async () => {
      expect(await as(rita).delete(labels)).toEqual(refused.parameter('name is missing'));
      expect(await as(rita).delete(`${labels}?name=above`)).toEqual(refused.missing('Label'));
    });

    test('with If-Unmodified-Since keeps a label that was changed since', async () => {
      const id = await createLabel(labels, 'stays');
      const headers = { 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' };
      const response = await as(rita).fetch(`${labels}/${id}`, { method: 'DELETE', headers });
      expect(response.status).toBe(412);
      await as(rita).delete(`${labels}/${id}`);
    });
  });

  describe(`POST /${parent}/:id/labels/:label_id/subscribe and …/unsubscribe`, () => {
    test('users who see a label subscribe to it and unsubscribe', async () => {
      const subscribed = shape('above', { id: above, subscribed: true });
      const post = (verb: string) => as(gus).post(`${labels}/${above}/${verb}`);
      const byName = (verb: string) => as(gus).post(`${labels}/above/${verb}`);
      expect(await post('subscribe')).toEqual({ status: 201, body: subscribed });
      expect(await byName('subscribe')).toEqual({ status: 304, body: null });
      expect((await as(gus).get(`${labels}/above`)).body).toEqual(subscribed);
      expect((await as(rita).get(`${labels}/above`)).body).toEqual(shape('above', { id: above }));
      expect(await byName('unsubscribe')).toEqual({
        status: 201,
        body: shape('above', { id: above }),
      });
      expect(await post('unsubscribe')).toEqual({ status: 304, body: null });
    });

    test('anonymous users, and users who cannot see the label, are refused', async () => {
      for (const verb of ['subscribe', 'unsubscribe']) {
        expect(await as(null).post(`${labels}/above/${verb}`)).toEqual(refused.anonymous);
        expect(await as(sam).post(`${labels}/above/${verb}`)).toEqual(refused.missing(resource));
        expect(await as(gus).post(`${labels}/none/${verb}`)).toEqual(refused.missing('Label'));
      }
    });
  });
});

describe('the priority of a label', () => {
  test('is set, changed and cleared in a project', async () => {
    const { labels } = await createParent();
    const input = { name: 'bug', color: '#fff', priority: 0 };
    const bug = (priority: number | null) => shape('bug', { color: '#ffffff', priority });
    expect(await as(rita).post(labels, input)).toEqual({ status: 201, body: bug(0) });
    for (const [input, priority] of [
      ['7', 7],
      ['', null],
      [3, 3],
      [null, null],
    ] as const) {
      expect(await as(rita).put(labels, { name: 'bug', priority: input })).toEqual({
        status: 200,
        body: bug(priority),
      });
    }
  });

  test('is an integer from 0', async () => {
    const { labels } = await createParent();
    const post = (priority: unknown) =>
      as(rita).post(labels, { name: 'x', color: '#fff', priority });
    expect(await post(-1)).toEqual(
      refused.invalid({ priority: ['must be greater than or equal to 0'] }),
    );
    for (const priority of ['high', 1.5, 2 ** 31]) {
      expect(await post(priority)).toEqual(refused.parameter('priority is invalid'));
    }
  });

  test('does not exist in groups', async () => {
    const labels = `/groups/${tools}/labels`;
    const id = await createLabel(labels, 'ranked', { priority: 1 });
    expect((await as(rita).get(`${labels}/${id}`)).body).toEqual(shape('ranked', { id }));
    await as(rita).delete(`${labels}/${id}`);
  });
});

test('external users do not see internal projects', async () => {
  const { id } = await seed.project('ada/inside', {}, { visibility: 'internal' });
  expect((await as(sam).get(`/projects/${id}/labels`)).status).toBe(200);
  expect(await as(eve).get(`/projects/${id}/labels`)).toEqual(refused.missing('Project'));
});

test('a name selects the project’s own label before a group’s, and the nearest group’s first', async () => {
  const { labels } = await createParent();
  const own = await createLabel(labels, 'twice');
  const near = await createLabel(`/groups/${tools}/labels`, 'twice');
  await createLabel(`/groups/${acme}/labels`, 'twice');
  expect((await as(gus).get(`${labels}/twice`)).body).toEqual(shape('twice', { id: own }));
  await as(rita).delete(`${labels}/${own}`);
  expect((await as(gus).get(`${labels}/twice`)).body).toEqual(shape('twice', { id: near }));
});
