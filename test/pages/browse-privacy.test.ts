import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { visitorAt, withoutNonce } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed } = server;
const owner = await seed.user('ada');
const reporter = await seed.user('rae');
const guest = await seed.user('gus');
const outsider = await seed.user('bob');
await seed.group('closed', { owner }, { visibility: 'private' });
const { id } = await seed.project(
  'closed/app',
  { guest, reporter },
  { visibility: 'private', snippets_enabled: true },
);
const sha = await seed.push('closed/app', { 'README.md': '# Secret plan', 'lib/a.txt': 'secret' });
const at = `/projects/${id}`;
await server.as(owner).post(`${at}/issues`, { title: 'Secret issue' });
await server.as(owner).post(`${at}/issues`, { title: 'Whispered', confidential: true });
await server.as(owner).post(`${at}/wikis`, { title: 'home', content: 'Secret' });
const { body } = await server.as(owner).post('/snippets', {
  title: 'Own',
  file_name: 'a.txt',
  content: 'secret',
  visibility: 'private',
});
const personal = `/snippets/${(body as { id: number }).id}`;

const signedIn = async (user: TestUser) => {
  const visitor = visitorAt(server.url);
  await visitor.signIn(user);
  return visitor;
};
const visitors = {
  anonymous: visitorAt(server.url),
  outsider: await signedIn(outsider),
  guest: await signedIn(guest),
  reporter: await signedIn(reporter),
  owner: await signedIn(owner),
};

const look = async (caller: keyof typeof visitors, address: string) => {
  const { status, text, location } = await visitors[caller].get(address);
  return { status, body: text, location };
};

const code = [
  '/closed/app/tree/master',
  '/closed/app/tree/master/lib',
  '/closed/app/blob/master/lib/a.txt',
  '/closed/app/raw/master/lib/a.txt',
  '/closed/app/commits/master',
  `/closed/app/commit/${sha}`,
  '/closed/app/branches',
  '/closed/app/tags',
  '/closed/app/merge_requests',
];
const otherPages = [
  '/closed/app',
  '/closed/app/wikis/home',
  '/closed/app/wikis/pages',
  '/closed/app/issues',
  '/closed/app/issues/1',
  '/closed/app/snippets',
];

describe('a private project', () => {
  test.each([...code, ...otherPages, '/closed', '/groups/closed', '/closed/app/anything'])(
    '%s looks like a missing page to anonymous users and non-members',
    async (address) => {
      for (const caller of ['anonymous', 'outsider'] as const) {
        const absent = address.replace('closed', 'vacant');
        const [existing, missing] = [await look(caller, address), await look(caller, absent)];
        expect(existing.status).toBe(404);
        expect(withoutNonce(existing.body).replaceAll('closed', 'vacant')).toBe(
          withoutNonce(missing.body),
        );
        expect(existing.body).not.toMatch(/secret/i);
      }
    },
  );

  test('offers anonymous users a sign-in link that returns to the page', async () => {
    const { body: text } = await look('anonymous', '/closed/app/tree/master?page=1');
    const back = encodeURIComponent('/closed/app/tree/master?page=1');
    expect(text).toContain(`href="/users/sign_in?return_to=${back}"`);
  });

  test('shows its code to reporters, not to guests', async () => {
    for (const address of code) {
      expect([address, (await look('reporter', address)).status]).toEqual([address, 200]);
      expect([address, (await look('guest', address)).status]).toEqual([address, 403]);
    }
  });

  test('shows guests the pages without code', async () => {
    for (const address of otherPages) {
      expect([address, (await look('guest', address)).status]).toEqual([address, 200]);
    }
    const { body: text } = await look('guest', '/closed/app');
    expect(text).not.toContain('Secret plan');
    expect(text).not.toContain('/closed/app/tree');
  });

  test('hides confidential issues from guests', async () => {
    expect((await look('guest', '/closed/app/issues')).body).not.toContain('Whispered');
    expect((await look('guest', '/closed/app/issues/2')).status).toBe(404);
    expect((await look('reporter', '/closed/app/issues/2')).status).toBe(200);
  });

  test('redirects from its former path for members only', async () => {
    await server.as(owner).put(at, { path: 'moved' });
    expect((await look('anonymous', '/closed/app')).status).toBe(404);
    expect((await look('outsider', '/closed/app')).status).toBe(404);
    expect((await look('reporter', '/closed/app')).location).toBe('/closed/moved');
    await server.as(owner).put(at, { path: 'app' });
  });
});

describe('a private group', () => {
  test('is visible to its members and to members of its projects only', async () => {
    expect((await look('owner', '/groups/closed')).body).toContain('/closed/app');
    expect((await look('reporter', '/groups/closed')).status).toBe(200);
    expect((await look('outsider', '/groups/closed')).status).toBe(404);
  });

  test('is not listed on the page of its parent group', async () => {
    await seed.group('open', {}, { visibility: 'public' });
    await seed.group('open/occult', {}, { visibility: 'private' });
    await seed.project('open/covert', {}, { visibility: 'private' });
    const { body: text } = await look('anonymous', '/groups/open');
    expect(text).not.toMatch(/occult|covert/);
  });
});

describe('a private snippet', () => {
  test('is visible to its author only', async () => {
    expect((await look('owner', personal)).status).toBe(200);
    expect((await look('owner', `${personal}/raw`)).body).toBe('secret');
    expect((await look('outsider', personal)).status).toBe(404);
    expect((await look('outsider', `${personal}/raw`)).status).toBe(404);
    expect((await look('anonymous', personal)).status).toBe(302);
  });
});

describe('a user', () => {
  test('is shown without private projects and e-mail address', async () => {
    await server.as(outsider).post('/projects', { name: 'mine', visibility: 'private' });
    expect((await look('anonymous', '/bob')).body).not.toContain('mine');
    expect((await look('anonymous', '/bob')).body).not.toContain(outsider.email);
    expect((await look('outsider', '/bob')).body).toContain('/bob/mine');
  });
});
