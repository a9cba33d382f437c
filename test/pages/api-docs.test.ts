import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browser, expectProgramAccessible, type PageOptions } from '../support/browser.ts';
import { world } from '../support/world.ts';

const { seed, url } = await world();
const { signedIn, anonymous } = await browser(url);
const ada = await seed.user('ada');

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
  await page.goto('/api/docs');
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

const program: PageOptions = { javaScriptEnabled: true };

describe('the page of the REST API', () => {
  test('sends a GET request as the signed-in user, and requests to no other host', async () => {
    const { page, faults, hosts } = await openDocs(await signedIn(ada, program));
    const response = await sendCurrentUser(page);
    expect(response).toMatch(/^200\b/);
    expect(response).toContain('"username": "ada"');
    expect([...hosts]).toEqual([new URL(url).host]);
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

  test.each(['light', 'dark'] as const)('is accessible in %s mode', async (colorScheme) => {
    const look = { ...program, colorScheme, bypassCSP: true };
    const { page } = await openDocs(await signedIn(ada, look));
    await expectProgramAccessible(page);
    await sendCurrentUser(page);
    await expectProgramAccessible(page);
  });

  test('fits a narrow window', async () => {
    const { page } = await openDocs(await signedIn(ada, { ...program, width: 390 }));
    await sendCurrentUser(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

test('a page links to the page of the REST API', async () => {
  const page = await anonymous();
  await page.goto('/users/sign_in');
  await page.getByRole('link', { name: 'REST API' }).click();
  expect(new URL(page.url()).pathname).toBe('/api/docs');
});

test('the files of the page are 550 KB with the document, and cached', async () => {
  const headers = { 'Accept-Encoding': 'br' };
  const response = await fetch(`${url}/api/docs`, { headers });
  expect(response.headers.get('Cache-Control')).toBe('public, no-cache');
  const paths = new Set(
    [...(await response.text()).matchAll(/"\.\.\/(assets\/[^"]+)"/g)].map(([, path]) => path ?? ''),
  );
  expect(paths.size).toBe(5);
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
