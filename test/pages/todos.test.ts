import { expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as } = await world();
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
await seed.group('acme', { owner: ada, developer: bob });
const app = await seed.project('acme/app');
await seed.project('acme/tool');

const hostile = '"><script>alert(1)</script>';
const path = '/dashboard/todos';

const assign = (title: string, project = 'acme%2Fapp') =>
  as(ada).post(`/projects/${project}/issues`, { title, assignee_ids: [bob.id] });

await assign(hostile);
await assign('Second issue');
await assign('Issue of the tool', 'acme%2Ftool');

test.each([1280, 390])('lists to-dos accessibly at a width of %i pixels', async (width) => {
  const page = await signedIn(bob, { width });
  await page.goto(path);
  await expectAccessible(page);
  const text = await page.locator('main').innerText();
  expect(text).toContain(hostile);
  expect(text).toContain('assigned to you');
  expect(text).toContain('acme/tool#1');
  expect(await page.content()).not.toContain(hostile);
  await page.goto(`${path}?state=done&project=${encodeURIComponent(hostile)}`);
  await expectAccessible(page);
  expect(await page.content()).not.toContain(hostile);
});

test('filters by project, type and reason', async () => {
  const visitor = visitorAt(url);
  await visitor.signIn(bob);
  const titles = async (query: string) => {
    const { text } = await visitor.get(`${path}?${query}`);
    return [...text.matchAll(/class="name" href="[^"]*">([^<]*)</g)].map(([, title]) => title);
  };
  expect(await titles('')).toHaveLength(3);
  expect(await titles('project=acme/tool')).toEqual(['Issue of the tool']);
  expect(await titles('project=acme/nothing')).toEqual([]);
  expect(await titles('type=mergeRequest')).toEqual([]);
  expect(await titles('type=issue&action=assigned')).toHaveLength(3);
  expect(await titles('action=mentioned')).toEqual([]);
  expect(await titles('state=done')).toEqual([]);
});

test('marks one and all as done, of the user alone', async () => {
  const page = await signedIn(bob);
  await page.goto(path);
  const second = await db.todo.findFirstOrThrow({
    where: { userId: bob.id, project: { id: app.id } },
    orderBy: { id: 'desc' },
  });
  const other = visitorAt(url);
  await other.signIn(ada);
  expect(await other.submit(`${path}/${second.id}/done`)).toMatchObject({ status: 404 });
  await other.submit(`${path}/done`);
  expect(await db.todo.count({ where: { userId: bob.id, state: 'pending' } })).toBe(3);
  await page.getByRole('button', { name: 'Done Second issue' }).click();
  expect(await db.todo.findUnique({ where: { id: second.id } })).toMatchObject({ state: 'done' });
  await page.getByRole('button', { name: 'Mark all as done' }).click();
  await expectAccessible(page);
  expect(await page.locator('main').innerText()).toContain('Nothing to do');
  expect(await db.todo.count({ where: { userId: bob.id, state: 'pending' } })).toBe(0);
  expect(await visitorAt(url).get(path)).toMatchObject({ status: 302 });
});
