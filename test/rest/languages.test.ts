import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, db, root } = await world();
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');
await seed.user('ada');
const files = {
  'README.md': 'prose '.repeat(100),
  'package.json': '{}',
  'über.ts': 'x'.repeat(500),
  'lib/a.C++': 'x'.repeat(200),
  'lib/a.h': 'x'.repeat(100),
  Makefile: 'x'.repeat(150),
  'web/INDEX.HTML': 'x'.repeat(50),
  'vendor/lib.js': 'x'.repeat(9000),
  'node_modules/a/index.js': 'x'.repeat(9000),
  'app.min.js': 'x'.repeat(9000),
  'empty.py': '',
  go: 'x',
};
const shares = { TypeScript: 50, 'C++': 30, Makefile: 15, HTML: 5 };

describe('GET /projects/:id/languages', () => {
  test('shows the shares of languages, the largest first', async () => {
    const { id } = await seed.project('ada/app', {}, { visibility: 'public' });
    await seed.push('ada/app', files);
    const { status, body } = await as(null).get(`/projects/${id}/languages`);
    expect({ status, body }).toEqual({ status: 200, body: shares });
    expect(Object.keys(body as object)).toEqual(Object.keys(shares));
    const sha = await db.projectLanguages.findUnique({ where: { projectId: id } });
    expect(sha).toMatchObject({ bytes: { TypeScript: 500 } });
    expect((await as(null).get(`/projects/${id}/languages`)).body).toEqual(shares);
  });

  test('follows the default branch', async () => {
    const { id } = await seed.project('ada/moving');
    await seed.push('ada/moving', { 'a.rb': 'puts 1\n' });
    const path = `/projects/${id}/languages`;
    expect((await as(root).get(path)).body).toEqual({ Ruby: 100 });
    await as(root).post(`/projects/${id}/repository/files/b.c`, {
      branch: 'master',
      content: 'puts 1\n',
      commit_message: 'C',
    });
    expect((await as(root).get(path)).body).toEqual({ C: 50, Ruby: 50 });
  });

  test('is empty for an empty repository, and without code', async () => {
    const { id } = await seed.project('ada/empty');
    expect(await as(root).get(`/projects/${id}/languages`)).toEqual({ status: 200, body: {} });
    await seed.push('ada/empty', { 'README.md': 'Hello' });
    expect((await as(root).get(`/projects/${id}/languages`)).body).toEqual({});
  });

  test('is for users who can read the code', async () => {
    const { id } = await seed.project('ada/closed', { reporter: bob, guest: carl });
    await seed.push('ada/closed', { 'a.rb': 'puts 1' });
    const path = `/projects/${id}/languages`;
    expect((await as(bob).get(path)).status).toBe(200);
    expect(await as(carl).get(path)).toEqual(refused.forbidden);
    for (const user of [eve, null]) {
      expect(await as(user).get(path)).toEqual(refused.missing('Project'));
    }
  });
});
