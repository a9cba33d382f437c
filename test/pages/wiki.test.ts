import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, url } = server;
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const guest = await seed.user('gus');
const { id } = await seed.project('ada/app', { developer: dev, guest }, { visibility: 'public' });
const { anonymous, signedIn } = await browser(url);
const hostile = '"><script>alert(1)</script>';
const wikis = `/projects/${id}/wikis`;
const pathOf = (address: string) => new URL(address).pathname;

const visitorOf = async (user: typeof ada) => {
  const visitor = visitorAt(url);
  await visitor.signIn(user);
  return visitor;
};

describe('a writer', () => {
  test('creates, changes, moves and deletes pages', async () => {
    const page = await signedIn(ada);
    await page.goto('/ada/app/wikis/home');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create the first page' }).click();
    await expectAccessible(page);
    expect(await page.getByLabel('Title').inputValue()).toBe('home');
    await page.getByLabel('Content').fill(`Read **this**\n${hostile}`);
    await page.getByRole('button', { name: 'Create page' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/wikis/home');
    expect(await page.locator('strong').textContent()).toBe('this');
    await expectAccessible(page);

    await page.getByRole('link', { name: 'New page' }).click();
    await page.getByLabel('Title').fill('guides/How to');
    await page.getByLabel('Content').fill('First');
    await page.getByRole('button', { name: 'Create page' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/wikis/guides/How-to');

    await page.getByRole('link', { name: 'Edit' }).click();
    await expectAccessible(page);
    await page.getByLabel('Content').fill('Second\nline');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/wikis/guides/How-to');
    const { body } = await server.as(ada).get(`${wikis}/guides%2FHow-to`);
    expect(body).toMatchObject({ content: 'Second\nline' });

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Why');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/wikis/guides/Why');

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('Delete page').first().click();
    await page.getByRole('button', { name: 'Delete page' }).click();
    expect(pathOf(page.url())).toBe('/ada/app/wikis/pages');
    await expectAccessible(page);
    expect((await server.as(ada).get(`${wikis}/guides%2FWhy`)).status).toBe(404);
  });

  test('sees errors in the form, which keeps the input', async () => {
    const visitor = await visitorOf(dev);
    const refused = await visitor.submitFrom('/ada/app/wikis/new', '/ada/app/wikis', {
      title: `../${hostile}`,
      content: '</textarea><script>alert(2)</script>',
      format: 'markdown',
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Title is invalid.');
    expect(refused.text).not.toContain('<script>alert');
    const blank = await visitor.submitFrom('/ada/app/wikis/new', '/ada/app/wikis', {
      title: 'Kept title',
      content: ' ',
    });
    expect(blank.status).toBe(422);
    expect(blank.text).toContain('value="Kept title"');
    await server.as(dev).post(wikis, { title: 'twice', content: 'a' });
    const again = await visitor.submitFrom('/ada/app/wikis/new', '/ada/app/wikis', {
      title: 'twice',
      content: 'b',
    });
    expect(again.status).toBe(422);
  });

  test('is offered to create a page that does not exist', async () => {
    const visitor = await visitorOf(dev);
    const { status, text } = await visitor.get('/ada/app/wikis/some/thing');
    expect(status).toBe(404);
    expect(text).toContain('/ada/app/wikis/new?title=some%2Fthing');
  });
});

test('a page has the others beside it, up to a bound', async () => {
  const { id: project } = await seed.project('ada/many', {}, { visibility: 'public' });
  const pages = `/projects/${project}/wikis`;
  await server.as(ada).post(pages, { title: 'home', content: 'Text' });
  const page = await anonymous({ width: 390, colorScheme: 'light' });
  await page.goto('/ada/many/wikis/home');
  expect(await page.getByRole('complementary').count()).toBe(0);
  for (let count = 10; count < 40; count += 1) {
    await server.as(ada).post(pages, { title: `guides/Page ${count}`, content: 'Text' });
  }
  await page.goto('/ada/many/wikis/guides/Page-12');
  const beside = page.getByRole('complementary', { name: 'Pages of the wiki' });
  expect(await beside.getByRole('listitem').count()).toBe(25);
  expect(await beside.locator('a[aria-current]').textContent()).toBe('Page 12');
  await expectAccessible(page);
  await beside.getByRole('link', { name: 'Show all 31 pages' }).click();
  expect(pathOf(page.url())).toBe('/ada/many/wikis/pages');
});

describe('other users', () => {
  test('read pages, but write none', async () => {
    await server.as(dev).post(wikis, { title: 'read', content: 'Text' });
    const visitor = await visitorOf(guest);
    const shown = await visitor.get('/ada/app/wikis/read');
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain('New page');
    expect((await visitor.get('/ada/app/wikis/missing')).text).not.toContain('wikis/new');
    for (const path of ['new', 'read/edit']) {
      expect((await visitor.get(`/ada/app/wikis/${path}`)).status).toBe(403);
      const asked = await visitorAt(url).get(`/ada/app/wikis/${path}`);
      expect(asked.location).toContain('/users/sign_in');
    }
    for (const path of ['', '/read/edit', '/read/delete']) {
      const fields = { title: 'other', content: 'b' };
      expect((await visitor.submit(`/ada/app/wikis${path}`, fields)).status).toBe(403);
    }
    // developers change pages, but only masters delete them
    const developer = await visitorOf(dev);
    expect((await developer.get('/ada/app/wikis/read/edit')).text).not.toContain('Delete page');
    expect((await developer.submit('/ada/app/wikis/read/delete')).status).toBe(403);
    const page = await anonymous({ width: 390, colorScheme: 'dark' });
    await page.goto('/ada/app/wikis/read');
    await expectAccessible(page);
  });
});
