import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectProgramAccessible } from '../support/accessibility.ts';
import { browser, type PageOptions, signIn } from '../support/browser.ts';
import { pathProxy } from '../support/path-proxy.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

// below a path prefix, which every address of the page must keep
const proxy = await pathProxy('/code');
const { seed, url } = await world({ variables: { MILLRACE_URL: proxy.url } });
proxy.forwardTo(url);
const { anonymous } = await browser(url);
const ada = await seed.user('ada');

async function signedIn(user: TestUser, look: PageOptions): Promise<Page> {
  const page = await anonymous(look);
  await page.goto(`${proxy.url}/users/sign_in`);
  await signIn(page, user);
  return page;
}

/** Opens the page; `faults` are errors of scripts and of the console, of the policy, too. */
async function openDocs(page: Page) {
  const faults: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (line) => {
    if (line.type() === 'error') faults.push(line.text());
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  await page.goto(`${proxy.url}/api/docs`);
  await page.getByRole('button', { name: 'Expand operation' }).first().waitFor();
  return { page, faults, hosts };
}

/** Opens an operation by the keyboard alone. */
async function openOperation(page: Page, tag: string, method: string, path: string) {
  const section = page.locator('.opblock-tag-section').filter({
    has: page.locator(`[data-tag="${tag}"]`),
  });
  await section.getByRole('button', { name: 'Expand operation' }).focus();
  await page.keyboard.press('Enter');
  const operation = page.locator(`.opblock-${method}`).filter({
    has: page.locator(`[data-path="${path}"]`),
  });
  await operation.locator('.opblock-summary-control').focus();
  await page.keyboard.press('Enter');
  await operation.locator('.responses-wrapper').waitFor();
  return operation;
}

/** Sends the request of `GET /user` by the keyboard alone; gives the shown response. */
async function sendCurrentUser(page: Page) {
  const operation = await openOperation(page, 'Users', 'get', '/api/v4/user');
  await operation.getByRole('button', { name: 'Try it out' }).focus();
  await page.keyboard.press('Enter');
  await operation.getByRole('button', { name: 'Execute' }).focus();
  await page.keyboard.press('Enter');
  return operation.locator('.live-responses-table .response').innerText();
}

const focusedName =
  '(({ ariaLabel, title, textContent }) => ariaLabel || title || textContent)(document.activeElement)';

/** Presses Tab until the control with this name, or with a name that ends so, has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(focusedName);
    // Swagger UI lets long paths break at invisible spaces
    if (focused.replaceAll('\u200b', '').trim().endsWith(name)) return;
  }
  throw new Error(`no ${name} within 100 presses of Tab`);
}

const program: PageOptions = { javaScriptEnabled: true };

describe('the page of the REST API', () => {
  test('sends a GET request as the signed-in user, and requests to no other host', async () => {
    const { page, faults, hosts } = await openDocs(await signedIn(ada, program));
    const response = await sendCurrentUser(page);
    expect(response).toMatch(/^200\b/);
    expect(response).toContain('"username": "ada"');
    expect([...hosts]).toEqual([new URL(proxy.url).host]);
    expect(faults).toEqual([]);
  });

  test('is shown to anonymous users, whose requests are anonymous', async () => {
    const { page, faults } = await openDocs(await anonymous(program));
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    expect(await sendCurrentUser(page)).toMatch(/^401\b/);
  });

  test('offers no requests that change something', async () => {
    const { page } = await openDocs(await signedIn(ada, program));
    const operation = await openOperation(page, 'Users', 'post', '/api/v4/users');
    expect(await operation.getByRole('button', { name: 'Try it out' }).count()).toBe(0);
  });

  test('is used by the Tab key alone', async () => {
    const { page } = await openDocs(await signedIn(ada, program));
    await page.getByPlaceholder('Filter by tag or path').focus();
    await page.keyboard.type('Version');
    await page.locator('[data-tag="Pipelines"]').waitFor({ state: 'detached' });
    // the versions of merge requests match, too, and come first
    await tabTo(page, 'Expand operation');
    await tabTo(page, 'Expand operation');
    await page.keyboard.press('Enter');
    await page.locator('.opblock-get').first().waitFor();
    await tabTo(page, 'Show the version');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Try it out');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Execute');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('.live-responses-table .response').innerText())
      .toContain('"version": "10.');
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('is accessible in %s mode and fits %d pixels', async (colorScheme, width) => {
    const look = { ...program, colorScheme, width, bypassCSP: true };
    const { page } = await openDocs(await signedIn(ada, look));
    await expectProgramAccessible(page);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await expectProgramAccessible(page);
    await page.getByRole('button', { name: 'Close' }).first().click();
    await openOperation(page, 'Branches', 'post', '/api/v4/projects/{id}/repository/branches');
    const operation = await openOperation(page, 'Issues', 'get', '/api/v4/projects/{id}/issues');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByPlaceholder('id', { exact: true }).fill('tools/none');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response').waitFor();
    await operation.getByRole('tab', { name: 'Schema' }).first().click();
    await expectProgramAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
});

test('a page links to the page of the REST API', async () => {
  const page = await anonymous();
  await page.goto(`${proxy.url}/users/sign_in`);
  await page.getByRole('link', { name: 'REST API' }).click();
  expect(new URL(page.url()).pathname).toBe('/code/api/docs');
});

test('the page is sent again only if it changed, and for HEAD without a body', async () => {
  const first = await fetch(`${url}/api/docs`, { method: 'HEAD' });
  expect([first.status, await first.text()]).toEqual([200, '']);
  const tag = first.headers.get('ETag') ?? '';
  const second = await fetch(`${url}/api/docs`, { headers: { 'If-None-Match': tag } });
  expect(second.status).toBe(304);
});

test('the files of the page are 550 KB with the document, and cached', async () => {
  const headers = { 'Accept-Encoding': 'br' };
  const response = await fetch(`${url}/api/docs`, { headers });
  expect(response.headers.get('Cache-Control')).toBe('public, no-cache');
  const paths = new Set(
    [...(await response.text()).matchAll(/"\.\.\/(assets\/[^"]+)"/g)].map(([, path]) => path ?? ''),
  );
  expect(paths.size).toBe(6);
  const files = await Promise.all(
    [...paths, 'api/v4/openapi.json'].map((path) => fetch(`${url}/${path}`, { headers })),
  );
  const sizes = files.map((file) => Number(file.headers.get('Content-Length')));
  await Promise.all(files.map((file) => file.body?.cancel()));
  expect(files.map(({ status }) => status)).toEqual(files.map(() => 200));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(550_000);
  for (const file of files.slice(0, -1)) {
    expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  }
});
