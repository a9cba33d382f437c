import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, url } = server;
const ada = await seed.user('ada');
const reporter = await seed.user('rae');
const guest = await seed.user('gus');
const { id } = await seed.project(
  'ada/app',
  { reporter, guest },
  { visibility: 'public', snippets_enabled: true },
);
const { signedIn } = await browser(url);
const hostile = '"><script>alert(1)</script>';
const pathOf = (address: string) => new URL(address).pathname;

const visitorOf = async (user: typeof ada) => {
  const visitor = visitorAt(url);
  await visitor.signIn(user);
  return visitor;
};

const created = async (path: string, user = ada, visibility = 'private') => {
  const fields = { title: 'Seeded', file_name: 'a.txt', visibility };
  const content = path === '/snippets' ? { content: 'text' } : { code: 'text' };
  const { body } = await server.as(user).post(path, { ...fields, ...content });
  return (body as { id: number }).id;
};

describe.each([
  ['of a user', '/snippets'],
  ['of a project', '/ada/app/snippets'],
])('snippets %s', (_home, list) => {
  test('are created, changed, shown raw and deleted', async () => {
    const page = await signedIn(reporter);
    await page.goto(list);
    expect(await page.getByText('There are no snippets yet').isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'New snippet' }).click();
    await expectAccessible(page);
    await page.getByLabel('Title').fill(hostile);
    await page.getByLabel('Description').fill('Some **words**');
    await page.getByLabel('File name').fill('run.sh');
    await page.getByLabel('Content').fill('one\ntwo\n');
    await page.getByLabel('Internal').check();
    await page.getByRole('button', { name: 'Create snippet' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(hostile);
    expect(await page.locator('.badge', { hasText: 'internal' }).count()).toBe(1);
    await expectAccessible(page);
    const address = pathOf(page.url());
    const raw = await page.request.get(`${url}${address}/raw`);
    expect(await raw.text()).toBe('one\ntwo\n');

    await page.getByRole('link', { name: 'Edit' }).click();
    await expectAccessible(page);
    await page.getByLabel('Title').fill('Changed');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(pathOf(page.url())).toBe(address);
    await page.goto(list);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Changed' }).click();
    await page.locator('summary', { hasText: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete Changed' }).click();
    expect(pathOf(page.url())).toBe(list);
    const visitor = await visitorOf(reporter);
    expect((await visitor.get(address)).status).toBe(404);
  });

  test('show errors in the form, which keeps the input', async () => {
    const visitor = await visitorOf(reporter);
    const { status, text } = await visitor.submitFrom(`${list}/new`, list, {
      title: 'a'.repeat(256),
      file_name: hostile,
      content: ' ',
      visibility: 'public',
    });
    expect(status).toBe(422);
    expect(text).toContain('Title is too long');
    expect(text).toContain('Content can&#39;t be blank');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;');
    expect(text).toContain('value="public" checked');
  });

  test('are changed by their author alone', async () => {
    const api = list === '/snippets' ? '/snippets' : `/projects/${id}/snippets`;
    const address = `${list}/${await created(api, ada, 'public')}`;
    const visitor = await visitorOf(guest);
    const { text } = await visitor.get(address);
    expect(text).toContain('Seeded');
    expect(text).not.toContain('/edit"');
    expect((await visitor.get(`${address}/edit`)).status).toBe(403);
    for (const action of ['edit', 'delete']) {
      const fields = { title: 'b', file_name: 'b', content: 'b', visibility: 'public' };
      expect((await visitor.submit(`${address}/${action}`, fields)).status).toBe(403);
    }
    expect((await visitor.submit(`${address}/other`)).status).toBe(404);
    for (const path of [list, `${list}/new`, address, `${address}/edit`]) {
      expect((await visitorAt(url).get(path)).location).toContain('/users/sign_in');
    }
  });
});

test('guests of a project create no snippets there', async () => {
  const visitor = await visitorOf(guest);
  expect((await visitor.get('/ada/app/snippets')).text).not.toContain(
    'href="/ada/app/snippets/new"',
  );
  expect((await visitor.get('/ada/app/snippets/new')).status).toBe(403);
  const fields = { title: 'b', file_name: 'b', content: 'b', visibility: 'private' };
  expect((await visitor.submit('/ada/app/snippets', fields)).status).toBe(403);
});

test('a private snippet is shown to its author alone', async () => {
  const address = `/snippets/${await created('/snippets')}`;
  const visitor = await visitorOf(guest);
  for (const path of [address, `${address}/raw`, `${address}/edit`]) {
    expect((await visitor.get(path)).status).toBe(404);
  }
  expect((await visitor.submit(`${address}/delete`)).status).toBe(404);
  const author = await visitorOf(ada);
  expect((await author.get(address)).status).toBe(200);
});

test('the list has the own snippets, and the public ones of all users', async () => {
  const hidden = await created('/snippets');
  const open = await created('/snippets', ada, 'public');
  const author = await visitorOf(ada);
  const { text: own } = await author.get('/snippets');
  expect(own).toContain(`href="/snippets/${hidden}"`);
  const other = await visitorOf(guest);
  const { text } = await other.get('/snippets?scope=public');
  expect(text).toContain(`href="/snippets/${open}"`);
  expect(text).not.toContain(`href="/snippets/${hidden}"`);
});
