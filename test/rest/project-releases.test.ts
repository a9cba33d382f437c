import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { git, workTree } from '../support/git.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, db, seed, root, remote, url } = await world();
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

const { id: group } = await seed.group('acme', {}, { visibility: 'public' });
const roles = { master: ada, developer: dev, reporter: bob, guest: carl };
const { id: app } = await seed.project('acme/app', roles, { visibility: 'public' });
const { id: closed } = await seed.project('acme/closed', roles);
const releases = `/projects/${app}/releases`;
const hidden = `/projects/${closed}/releases`;

const folder = await workTree({ 'README.md': '# App\n' });
const first = await git(folder, 'rev-parse', 'HEAD');
for (const tag of ['v1.0', 'v2.0', 'v/3.0']) await git(folder, 'tag', tag);
for (const path of ['app', 'closed']) {
  await git(folder, 'push', '--quiet', remote(`acme/${path}`, root), 'master', '--tags');
}
await as(ada).post(`/projects/${app}/milestones`, { title: 'One' });
await as(root).post(`/groups/${group}/milestones`, { title: 'Two' });
afterAll(() => rm(folder, { recursive: true }));

const errorWith = (status: number, message: unknown) => ({ status, body: { message } });
const bodyOf = async <Body = Record<string, unknown>>(response: Promise<{ body: unknown }>) =>
  (await response).body as Body;
const links = (tag: string) => `${releases}/${encodeURIComponent(tag)}/assets/links`;

describe('POST /projects/:id/releases', () => {
  test('a developer releases a tag with links, milestones and a time', async () => {
    const response = await as(dev).post(releases, {
      tag_name: 'v1.0',
      name: 'One',
      description: '# Größer',
      milestones: ['One', 'Two'],
      released_at: '2026-01-02T03:04:05Z',
      assets: {
        links: [
          { name: 'app', url: 'https://files.example/app', filepath: '/bin/app' },
          { name: 'image', url: 'ftp://files.example/image', link_type: 'image' },
        ],
      },
    });
    const path = `${url}/api/v4/projects/${app}`;
    const archives = ['zip', 'tar.gz', 'tar.bz2', 'tar'].map((format) => ({
      format,
      url: `${path}/repository/archive.${format}?sha=v1.0`,
    }));
    expect(response).toEqual({
      status: 201,
      body: {
        tag_name: 'v1.0',
        name: 'One',
        description: '# Größer',
        description_html: '<h2 id="text-größer">Größer</h2>\n',
        created_at: expect.any(String),
        released_at: '2026-01-02T03:04:05.000Z',
        upcoming_release: false,
        author: expect.objectContaining({ username: 'dev' }),
        commit: expect.objectContaining({ id: first }),
        milestones: [
          expect.objectContaining({ title: 'One', project_id: app }),
          expect.objectContaining({ title: 'Two', group_id: group }),
        ],
        commit_path: `/acme/app/commit/${first}`,
        tag_path: '/acme/app/tags/v1.0',
        assets: {
          count: 6,
          sources: archives,
          links: [
            {
              id: expect.any(Number),
              name: 'image',
              url: 'ftp://files.example/image',
              direct_asset_path: null,
              direct_asset_url: 'ftp://files.example/image',
              external: true,
              link_type: 'image',
            },
            {
              id: expect.any(Number),
              name: 'app',
              url: 'https://files.example/app',
              direct_asset_path: '/bin/app',
              direct_asset_url: `${path}/releases/v1.0/downloads/bin/app`,
              external: true,
              link_type: 'other',
            },
          ],
        },
        _links: { self: `${url}/acme/app/tags/v1.0` },
      },
    });
    expect(await as(null).get(`${releases}/v1.0`)).toEqual({ status: 200, body: response.body });
    const tag = await bodyOf(as(null).get(`/projects/${app}/repository/tags/v1.0`));
    expect(tag.release).toEqual({ tag_name: 'v1.0', description: '# Größer' });
  });

  test('creates a missing tag from a ref, with a message and the release', async () => {
    const { status, body } = await as(dev).post(releases, {
      tag_name: 'new/1.0',
      ref: 'master',
      tag_message: 'Annotated',
      description: 'x',
      assets: { links: [{ name: 'a', url: 'http://files.example/a', direct_asset_path: '/a' }] },
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        name: 'new/1.0',
        author: expect.objectContaining({ username: 'dev' }),
        assets: expect.objectContaining({ count: 5 }),
      }),
    ]);
    const tag = await bodyOf(as(dev).get(`/projects/${app}/repository/tags/new%2F1.0`));
    expect(tag).toMatchObject({ message: 'Annotated', release: { description: 'x' } });
    expect(await db.push.count({ where: { projectId: app } })).toBe(0);
    const { body: event } = await as(dev).get(`/projects/${app}/events?per_page=1`);
    expect(event).toMatchObject([{ push_data: { ref_type: 'tag', ref: 'new/1.0' } }]);
  });

  test('one of several concurrent requests creates a release', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => as(dev).post(releases, { tag_name: 'v2.0' })),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await as(dev).post(releases, { tag_name: 'v2.0', ref: 'master' })).toEqual(
      refused.conflict('Release already exists'),
    );
  });

  test.each([
    [{ tag_name: 'none' }, errorWith(404, 'Tag does not exist')],
    [{ tag_name: 'none', ref: 'nothing' }, errorWith(400, 'Target nothing is invalid')],
    [{ tag_name: 'a b', ref: 'master' }, errorWith(400, 'Tag name invalid')],
    [{ tag_name: ' ' }, refused.parameter('tag_name is empty')],
    [{}, refused.parameter('tag_name is missing')],
    [
      { tag_name: 'v/3.0', milestones: ['One', 'Three'] },
      errorWith(400, 'Milestone(s) not found: Three'),
    ],
    [
      { tag_name: 'v/3.0', name: 'x'.repeat(256) },
      errorWith(400, { name: ['is too long (maximum is 255 characters)'] }),
    ],
    [{ tag_name: 'v/3.0', released_at: 'soon' }, refused.parameter('released_at is invalid')],
  ])('%j is rejected', async (input, response) => {
    expect(await as(dev).post(releases, input)).toEqual(response);
  });

  test.each([
    [{ name: 'a', url: 'javascript:alert(1)' }, { url: ['must be a valid URL'] }],
    [
      { name: 'a', url: 'file://host/etc' },
      { url: ['is blocked: Only allowed schemes are http, https, ftp'] },
    ],
    [{ name: ' ', url: 'https://a.example' }, { name: ["can't be blank"] }],
    [
      { name: 'a', url: 'https://a.example', filepath: 'x' },
      { filepath: ['is in an invalid format'] },
    ],
    [
      { name: 'a', url: 'https://a.example', filepath: '/../x' },
      { filepath: ['is in an invalid format'] },
    ],
  ])('the link %j is rejected, and nothing is created', async (link, message) => {
    const input = { tag_name: 'v9', ref: 'master', assets: { links: [link] } };
    expect(await as(dev).post(releases, input)).toEqual(errorWith(400, message));
    expect((await as(dev).get(`/projects/${app}/repository/tags/v9`)).status).toBe(404);
  });

  test('links that are alike or too many are rejected', async () => {
    const link = { name: 'a', url: 'https://a.example' };
    const create = (all: readonly object[]) =>
      as(dev).post(releases, { tag_name: 'v/3.0', assets: { links: all } });
    const taken = ['has already been taken'];
    expect(await create([link, link])).toEqual(errorWith(400, { name: taken, url: taken }));
    const many = Array.from({ length: 101 }, (_, n) => ({
      name: `${n}`,
      url: `https://a.example/${n}`,
    }));
    expect(await create(many)).toEqual(
      errorWith(400, { links: ['are too many (maximum is 100)'] }),
    );
  });
});

describe('the requests of clients', () => {
  test('semantic-release sends the tag that it pushed, and undefined details', async () => {
    await as(dev).post(`/projects/${app}/repository/tags`, { tag_name: 'sr', ref: 'master' });
    const link = { name: 'app.tgz', url: `${url}/acme/app/uploads/x/app.tgz` };
    const input = { tag_name: 'sr', description: '# 1.0.0\n', assets: { links: [link] } };
    expect(await as(dev).post(releases, input)).toMatchObject({
      status: 201,
      body: { assets: { links: [{ ...link, external: false }] } },
    });
    const again = { ...input, assets: { links: [] } };
    expect((await as(dev).post(releases, again)).status).toBe(409);
  });

  test('release-it and lerna send a commit, and a message that an existing tag ignores', async () => {
    const { status, body } = await as(dev).get(`/projects/${app}/members/all/${dev.id}`);
    expect([status, body]).toMatchObject([200, { access_level: 30 }]);
    await as(dev).post(`/projects/${app}/repository/tags`, { tag_name: 'ri', ref: 'master' });
    const input = { name: 'R', ref: first, tag_name: 'ri', tag_message: 'M', description: '-' };
    expect(await as(dev).post(releases, input)).toMatchObject({
      status: 201,
      body: { name: 'R', _links: { self: `${url}/acme/app/tags/ri` } },
    });
    const tag = await bodyOf(as(dev).get(`/projects/${app}/repository/tags/ri`));
    expect(tag.message).toBeNull();
    for (const name of ['sr', 'ri'])
      await as(ada).delete(`/projects/${app}/repository/tags/${name}`);
  });
});

describe('GET /projects/:id/releases', () => {
  test('lists by the time of release, or by creation, with pages', async () => {
    const names = async (query: string) =>
      (await bodyOf<{ tag_name: string }[]>(as(null).get(`${releases}${query}`))).map(
        ({ tag_name }) => tag_name,
      );
    expect(await names('')).toEqual(['v2.0', 'new/1.0', 'v1.0']);
    expect(await names('?sort=asc')).toEqual(['v1.0', 'new/1.0', 'v2.0']);
    expect(await names('?order_by=created_at&sort=asc')).toEqual(['v1.0', 'new/1.0', 'v2.0']);
    expect(await names('?per_page=1&page=2')).toEqual(['new/1.0']);
    expect(await as(null).get(`${releases}?order_by=name`)).toEqual(
      refused.parameter('order_by does not have a valid value'),
    );
  });

  test('is for users who can read the code', async () => {
    expect((await as(bob).get(hidden)).status).toBe(200);
    expect(await as(carl).get(hidden)).toEqual(refused.forbidden);
    expect(await as(eve).get(hidden)).toEqual(refused.missing('Project'));
    expect(await as(null).get(hidden)).toEqual(refused.missing('Project'));
  });
});

describe('GET /projects/:id/releases/:tag_name', () => {
  test('a missing release is 404, also of an existing tag', async () => {
    for (const tag of ['none', 'v%2F3.0', 'v1', '-']) {
      expect((await as(dev).get(`${releases}/${tag}`)).status).toBe(404);
    }
    expect(await as(dev).get(`${releases}/v%2F3.0`)).toEqual(refused.missing('Release'));
  });

  test('shows a release of the older endpoint, with its tag as the name', async () => {
    const input = { description: 'Notes' };
    await as(dev).post(`/projects/${app}/repository/tags/v%2F3.0/release`, input);
    expect(await bodyOf(as(null).get(`${releases}/v%2F3.0`))).toMatchObject({
      name: 'v/3.0',
      description: 'Notes',
      author: { username: 'dev' },
      tag_path: '/acme/app/tags/v/3.0',
    });
  });

  test('shows a release of a version that stored no author', async () => {
    await db.release.create({ data: { projectId: closed, tagName: 'v1.0', description: 'x' } });
    const body = await bodyOf(as(bob).get(`${hidden}/v1.0`));
    expect(body).toMatchObject({ name: 'v1.0', author: null, released_at: body.created_at });
  });
});

test('description_html is safe, with absolute links, and bounded', async () => {
  const { id } = await seed.project('acme/texts', {}, { visibility: 'public' });
  await seed.push('acme/texts', { 'README.md': 'Texts' });
  const describe = async (tag_name: string, description: string) => {
    const body = { tag_name, ref: 'master', description };
    return bodyOf(as(root).post(`/projects/${id}/releases`, body));
  };
  const { description_html } = await describe(
    'v1',
    '<b onclick="x">[notes](docs/a.md)</b> [x](javascript:x)',
  );
  expect(description_html).toBe(
    `<p><b><a href="${url}/acme/texts/blob/HEAD/docs/a.md">notes</a></b> [x](javascript:x)</p>\n`,
  );
  const long = 'word '.repeat(20_000);
  const html = `<p>${long.trim()}</p>\n`;
  for (const tag of ['v2', 'v3']) {
    expect(await describe(tag, long)).toMatchObject({ description_html: html });
  }
  const page = await bodyOf<Record<string, unknown>[]>(as(null).get(`/projects/${id}/releases`));
  // too long together for one response
  expect(page.map((release) => release.description_html)).toEqual([html, null, null]);
});

describe('PUT /projects/:id/releases/:tag_name', () => {
  const path = `${releases}/v%2F3.0`;

  test('a developer changes some of it; the rest stays', async () => {
    const future = '2099-01-01T00:00:00.000Z';
    const change = { name: 'Three', milestones: ['Two'], released_at: future };
    expect(await as(dev).put(path, change)).toMatchObject({
      status: 200,
      body: {
        name: 'Three',
        description: 'Notes',
        released_at: future,
        upcoming_release: true,
        milestones: [{ title: 'Two' }],
      },
    });
    expect(await as(dev).put(path, { milestones: [], name: null })).toMatchObject({
      body: { name: 'v/3.0', released_at: future, milestones: [] },
    });
  });

  test('invalid changes are rejected', async () => {
    expect(await as(dev).put(path, {})).toEqual(
      refused.parameter(
        'name, description, milestones, released_at are missing, at least one parameter must be provided',
      ),
    );
    expect(await as(dev).put(path, { description: ' ' })).toEqual(
      errorWith(400, { description: ["can't be blank"] }),
    );
    const none = await as(dev).put(`${releases}/none`, { name: 'x' });
    expect(none).toEqual(errorWith(404, 'Tag does not exist'));
  });
});

describe('links of a release', () => {
  const input = { name: 'guide', url: `${url}/acme/app`, filepath: '/docs/guide.md' };

  test('a developer creates, changes and deletes one', async () => {
    const { status, body } = await as(dev).post(links('v2.0'), { ...input, link_type: 'runbook' });
    const { id, ...link } = body as { id: number };
    expect([status, link]).toEqual([
      201,
      {
        name: 'guide',
        url: `${url}/acme/app`,
        direct_asset_path: '/docs/guide.md',
        direct_asset_url: `${url}/api/v4/projects/${app}/releases/v2.0/downloads/docs/guide.md`,
        external: false,
        link_type: 'runbook',
      },
    ]);
    const path = `${links('v2.0')}/${id}`;
    expect(await as(null).get(path)).toEqual({ status: 200, body });
    expect(await as(null).get(links('v2.0'))).toEqual({ status: 200, body: [body] });
    expect(await as(dev).put(path, { name: 'manual', filepath: null })).toMatchObject({
      status: 200,
      body: { name: 'manual', direct_asset_path: null, link_type: 'runbook' },
    });
    expect(await as(dev).delete(path)).toMatchObject({ status: 200, body: { id, name: 'manual' } });
    expect(await as(dev).get(path)).toEqual(refused.missing('Link'));
    expect(await as(dev).put(path, { name: 'x' })).toEqual(refused.missing('Link'));
    expect(await as(dev).delete(path)).toEqual(refused.missing('Link'));
  });

  test('a name, URL or path is unique in the release', async () => {
    await as(dev).post(links('v2.0'), input);
    const taken = ['has already been taken'];
    expect(await as(dev).post(links('v2.0'), input)).toEqual(
      errorWith(400, { name: taken, url: taken, filepath: taken }),
    );
    const other = { name: 'other', url: 'https://a.example' };
    const { id } = await bodyOf<{ id: number }>(as(dev).post(links('v2.0'), other));
    expect(await as(dev).put(`${links('v2.0')}/${id}`, { url: input.url })).toEqual(
      errorWith(400, { url: taken }),
    );
    expect((await as(dev).put(`${links('v2.0')}/${id}`, other)).status).toBe(200);
    expect((await as(dev).post(links('v1.0'), input)).status).toBe(201);
    expect((await as(dev).get(`${links('v1.0')}/${id}`)).status).toBe(404);
  });

  test('concurrent requests with the same name create one', async () => {
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        as(dev).post(links('v/3.0'), { name: 'same', url: `https://a.example/${n}` }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([
      201, 400, 400, 400, 400, 400,
    ]);
  });

  test('the address of the latest release redirects to the newest that is not upcoming', async () => {
    const { id } = await seed.project('acme/latest', { reporter: bob, guest: carl });
    await seed.push('acme/latest', { 'README.md': '# Latest' });
    const address = `/projects/${id}/releases`;
    const latest = (path = '', user: TestUser | null = bob) =>
      as(user).fetch(`${address}/permalink/latest${path}`);
    expect((await latest()).status).toBe(404);
    for (const [tag_name, released_at] of [
      ['new/1', '2020-01-02T00:00:00Z'],
      ['old', '2020-01-01T00:00:00Z'],
      ['upcoming', '2099-01-01T00:00:00Z'],
    ]) {
      const input = { tag_name, released_at, ref: 'master' };
      expect((await as(root).post(address, input)).status).toBe(201);
    }
    const target = `${url}/api/v4${address}/new%2F1`;
    const locationOf = async (path: string) => {
      const response = await latest(path);
      return [response.status, response.headers.get('location')];
    };
    expect(await locationOf('')).toEqual([302, target]);
    expect(await locationOf('/downloads/a%20b/c')).toEqual([302, `${target}/downloads/a%20b/c`]);
    expect((await latest('', carl)).status).toBe(403);
    for (const user of [eve, null]) expect((await latest('', user)).status).toBe(404);
  });

  test('the permanent address redirects to the target', async () => {
    const path = `${url}/api/v4${releases}/v1.0/downloads`;
    const response = await fetch(`${path}/bin/app`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'https://files.example/app',
    ]);
    expect((await fetch(`${path}/bin/none`, { redirect: 'manual' })).status).toBe(404);
  });

  test('invalid input is rejected', async () => {
    const path = links('v2.0');
    expect(await as(dev).post(path, { name: 'x' })).toEqual(refused.parameter('url is missing'));
    expect(await as(dev).post(path, { ...input, link_type: 'x' })).toEqual(
      refused.parameter('link_type does not have a valid value'),
    );
    expect(await as(dev).post(path, { name: 'x', url: 'x' })).toEqual(
      errorWith(400, { url: ['must be a valid URL'] }),
    );
    expect((await as(dev).post(links('none'), input)).status).toBe(404);
  });
});

describe('writing', () => {
  const link = { name: 'x', url: 'https://a.example/x' };
  test.each([
    ['post', '', { tag_name: 'v1.0' }],
    ['put', '/v1.0', { name: 'x' }],
    ['delete', '/v1.0', undefined],
    ['post', '/v1.0/assets/links', link],
    ['put', '/v1.0/assets/links/1', link],
    ['delete', '/v1.0/assets/links/1', undefined],
  ] as const)('%s %s requires a developer', async (method, path, input) => {
    const send = (user: typeof ada | null, parent: string) =>
      method === 'delete' ? as(user).delete(parent + path) : as(user)[method](parent + path, input);
    expect(await send(null, releases)).toEqual(refused.anonymous);
    for (const user of [eve, carl, bob]) {
      expect(await send(user, releases)).toEqual(refused.forbidden);
    }
    expect(await send(eve, hidden)).toEqual(refused.missing('Project'));
    expect(await send(bob, hidden)).toEqual(refused.forbidden);
  });
});

describe('DELETE /projects/:id/releases/:tag_name', () => {
  test('a developer deletes a release; its tag stays', async () => {
    const { assets, ...before } = await bodyOf(as(dev).get(`${releases}/v1.0`));
    expect(assets).not.toMatchObject({ links: [] });
    expect(await as(dev).delete(`${releases}/v1.0`)).toMatchObject({
      status: 200,
      body: { ...before, milestones: [], assets: { links: [] } },
    });
    expect(await as(dev).delete(`${releases}/v1.0`)).toEqual(refused.missing('Release'));
    const tag = await bodyOf(as(null).get(`/projects/${app}/repository/tags/v1.0`));
    expect(tag.release).toBeNull();
    expect(await db.releaseLink.count({ where: { release: { tagName: 'v1.0' } } })).toBe(0);
  });

  test('a deleted tag takes its release with it', async () => {
    await as(ada).delete(`/projects/${app}/repository/tags/new%2F1.0`);
    expect(await as(dev).get(`${releases}/new%2F1.0`)).toEqual(refused.missing('Release'));
  });
});
