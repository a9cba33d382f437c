import { describe, expect, test } from 'vitest';
import { pushBranches } from '../support/merge-requests.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db } = await world({ settings: { defaultBranchProtection: 0 } });
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const gus = await seed.user('gus');
const dora = await seed.user('dora');
const { id: app } = await seed.project('ada/app', { developer: bob, guest: gus });
const names = Array.from({ length: 8 }, (_, index) => `topic-${index}`);
await pushBranches(remote('ada/app', root), names);
const issues = `/projects/${app}/issues`;
for (let iid = 1; iid <= 12; iid += 1) await as(ada).post(issues, { title: `Issue ${iid}` });

const texts = [
  { title: 'Closing', description: 'Closes #1, and more' },
  { title: 'See #1', description: '' },
  { title: 'Mention', description: 'As in\n#1.' },
  { title: 'Longer #12', description: 'not #11' },
  { title: 'Elsewhere', description: 'other/app#1 http://host/page#1 &#1;' },
  { title: 'None', description: '1' },
];
for (const [index, text] of texts.entries()) {
  const body = { source_branch: names[index], target_branch: 'master', ...text };
  expect((await as(bob).post(`/projects/${app}/merge_requests`, body)).status).toBe(201);
}

describe('GET /projects/:id/issues/:iid/related_merge_requests', () => {
  const path = `${issues}/1/related_merge_requests`;

  test('lists the merge requests that mention the issue, the oldest first', async () => {
    const { status, body } = await as(bob).get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject([{ title: 'Closing' }, { title: 'See #1' }, { title: 'Mention' }]);
    expect(await as(bob).get(`${issues}/12/related_merge_requests`)).toMatchObject({
      body: [{ title: 'Longer #12' }],
    });
    expect((await as(bob).get(`${issues}/2/related_merge_requests`)).body).toEqual([]);
  });

  test('has pages', async () => {
    const response = await as(bob).fetch(`${path}?per_page=2&page=2`, {});
    expect(response.headers.get('X-Total')).toBe('3');
    expect(await response.json()).toMatchObject([{ title: 'Mention' }]);
  });

  test('lists only merge requests that the caller may see', async () => {
    expect(await as(gus).get(path)).toEqual({ status: 200, body: [] });
    expect((await as(null).get(path)).status).toBe(401);
    expect((await as(dora).get(path)).status).toBe(404);
    expect((await as(bob).get(`${issues}/4242/related_merge_requests`)).status).toBe(404);
    await db.project.update({ where: { id: app }, data: { mergeRequestsEnabled: false } });
    expect(await as(bob).get(path)).toEqual({ status: 200, body: [] });
    await db.project.update({ where: { id: app }, data: { mergeRequestsEnabled: true } });
  });
});
