import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const all = await world();
const { seed } = all;
const owner = await seed.user('ada');
const reporter = await seed.user('rae');
const guest = await seed.user('gus');
const stranger = await seed.user('bob');
await seed.group('closed', { owner }, { visibility: 'private' });
const { id } = await seed.project(
  'closed/app',
  { guest, reporter },
  { visibility: 'private', snippets_enabled: true },
);
const sha = await seed.push('closed/app', { 'README.md': '# Secret plan', 'lib/a.txt': 'secret' });
const at = `/projects/${id}`;
await all.as(owner).post(`${at}/issues`, { title: 'Secret issue' });
await all.as(owner).post(`${at}/issues`, { title: 'Whispered', confidential: true });
await all.as(owner).post(`${at}/wikis`, { title: 'home', content: 'Secret' });
const { body } = await all.as(owner).post('/snippets', {
  title: 'Own',
  file_name: 'a.txt',
  content: 'secret',
  visibility: 'private',
});
const personal = `/snippets/${(body as { id: number }).id}`;

const signedIn = async (person: TestUser) => {
  const visitor = visitorAt(all.url);
  await visitor.signIn(person);
  return visitor;
};
const visitors = {
  nobody: visitorAt(all.url),
  stranger: await signedIn(stranger),
  guest: await signedIn(guest),
  reporter: await signedIn(reporter),
  owner: await signedIn(owner),
};

const look = async (who: keyof typeof visitors, address: string) => {
  const { status, text, location } = await visitors[who].get(address);
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
const rest = [
  '/closed/app',
  '/closed/app/wikis/home',
  '/closed/app/wikis/pages',
  '/closed/app/issues',
  '/closed/app/issues/1',
  '/closed/app/snippets',
];

describe('a private project', () => {
  test.each([...code, ...rest, '/closed', '/groups/closed', '/closed/app/anything'])(
    '%s is to nobody and to strangers what is not there',
    async (address) => {
      for (const who of ['nobody', 'stranger'] as const) {
        const absent = address.replace('closed', 'vacant');
        const [there, nothing] = [await look(who, address), await look(who, absent)];
        expect(there.status).toBe(404);
        expect(there.body.replaceAll('closed', 'vacant')).toBe(nothing.body);
        expect(there.body).not.toMatch(/secret/i);
      }
    },
  );

  test('offers those who are not signed in to do so, and leads back', async () => {
    const { body: text } = await look('nobody', '/closed/app/tree/master?page=1');
    const back = encodeURIComponent('/closed/app/tree/master?page=1');
    expect(text).toContain(`href="/users/sign_in?return_to=${back}"`);
  });

  test('shows its code to reporters and not to guests', async () => {
    for (const address of code) {
      expect([address, (await look('reporter', address)).status]).toEqual([address, 200]);
      expect([address, (await look('guest', address)).status]).toEqual([address, 403]);
    }
  });

  test('shows the rest to its guests', async () => {
    for (const address of rest) {
      expect([address, (await look('guest', address)).status]).toEqual([address, 200]);
    }
    const { body: text } = await look('guest', '/closed/app');
    expect(text).not.toContain('Secret plan');
    expect(text).not.toContain('/closed/app/tree');
  });

  test('keeps confidential issues from guests', async () => {
    expect((await look('guest', '/closed/app/issues')).body).not.toContain('Whispered');
    expect((await look('guest', '/closed/app/issues/2')).status).toBe(404);
    expect((await look('reporter', '/closed/app/issues/2')).status).toBe(200);
  });

  test('is not named where it was', async () => {
    await all.as(owner).put(at, { path: 'moved' });
    expect((await look('nobody', '/closed/app')).status).toBe(404);
    expect((await look('stranger', '/closed/app')).status).toBe(404);
    expect((await look('reporter', '/closed/app')).location).toBe('/closed/moved');
    await all.as(owner).put(at, { path: 'app' });
  });
});

describe('a private group', () => {
  test('is open to its members and theirs only', async () => {
    expect((await look('owner', '/groups/closed')).body).toContain('/closed/app');
    expect((await look('reporter', '/groups/closed')).status).toBe(200);
    expect((await look('stranger', '/groups/closed')).status).toBe(404);
  });

  test('is not told of on the page of the group above', async () => {
    await seed.group('open', {}, { visibility: 'public' });
    await seed.group('open/hidden', {}, { visibility: 'private' });
    await seed.project('open/covert', {}, { visibility: 'private' });
    const { body: text } = await look('nobody', '/groups/open');
    expect(text).not.toMatch(/hidden|covert/);
  });
});

describe('a private snippet', () => {
  test('is its author’s alone', async () => {
    expect((await look('owner', personal)).status).toBe(200);
    expect((await look('owner', `${personal}/raw`)).body).toBe('secret');
    expect((await look('stranger', personal)).status).toBe(404);
    expect((await look('stranger', `${personal}/raw`)).status).toBe(404);
    expect((await look('nobody', personal)).status).toBe(302);
  });
});

describe('a user', () => {
  test('is shown without what others may not see', async () => {
    await all.as(stranger).post('/projects', { name: 'mine', visibility: 'private' });
    expect((await look('nobody', '/bob')).body).not.toContain('mine');
    expect((await look('nobody', '/bob')).body).not.toContain(stranger.email);
    expect((await look('stranger', '/bob')).body).toContain('/bob/mine');
  });
});
