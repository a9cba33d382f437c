import { describe, expect, test } from 'vitest';
import { expectProgramAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { openExplorer } from '../support/explorer.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { seed, url, db } = await world();
const { signedIn, anonymous } = await browser(url);
const ada = await seed.user('ada');
const { id: app } = await seed.project('ada/app');

/** The cookie of a user who signed in with the form. */
async function cookieOf(user: TestUser): Promise<string> {
  const cookies = await (await signedIn(user)).context().cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}
const cookie = await cookieOf(ada);

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function send(path: string, { headers, ...init }: Sent) {
  const response = await fetch(`${url}${path}`, {
    ...init,
    headers: { Accept: 'application/json', Cookie: cookie, ...headers },
  });
  return { status: response.status, body: await response.text() };
}

const query = '{ currentUser { username } }';
const asAda = '{"data":{"currentUser":{"username":"ada"}}}';
const json = { 'Content-Type': 'application/json' };
const sameOrigin = { 'Sec-Fetch-Site': 'same-origin', Origin: url };

const post = (headers: Readonly<Record<string, string>>, document = query) =>
  send('/graphql', {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify({ query: document }),
  });

describe('the explorer', () => {
  test.each(['light', 'dark'] as const)('is accessible in %s mode', async (colorScheme) => {
    const { page } = await openExplorer(
      await anonymous({ colorScheme, javaScriptEnabled: true, bypassCSP: true }),
    );
    await expectProgramAccessible(page);
    await page.getByRole('button', { name: /execute query/i }).click();
    await page.getByText('"total"').first().waitFor();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.locator('.graphiql-doc-explorer-content').waitFor();
    await expectProgramAccessible(page);
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.locator('.graphiql-history-item').first().waitFor();
    await expectProgramAccessible(page);
  });

  test('runs a query as the signed-in user and sends requests to no other host', async () => {
    const { page, hosts, faults } = await openExplorer(
      await signedIn(ada, { javaScriptEnabled: true }),
    );
    await page.locator('.graphiql-query-editor .CodeMirror').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(query);
    const response = page.waitForResponse(
      (response) => response.request().postData()?.includes(query) ?? false,
    );
    await page.getByRole('button', { name: /execute query/i }).click();
    expect(await (await response).json()).toEqual({ data: { currentUser: { username: 'ada' } } });
    await page.getByText('"ada"').first().waitFor();
    expect([...hosts]).toEqual([new URL(url).host]);
    expect(faults).toEqual([]);
  });

  test('is shown to anonymous users, whose queries are anonymous', async () => {
    const { page } = await openExplorer(await anonymous({ javaScriptEnabled: true }));
    const result = await page.evaluate(async (body) => {
      const response = await fetch('/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      return response.json();
    }, JSON.stringify({ query }));
    expect(result).toEqual({ data: { currentUser: null } });
  });
});

describe('the session cookie at /graphql', () => {
  const rename = `mutation {
    updateProject(project: "ada/app", settings: { description: "changed" }) { id }
  }`;
  const description = async () =>
    (await db.project.findUniqueOrThrow({ where: { id: app } })).description;

  test('authenticates requests from pages of the service', async () => {
    expect(await post(sameOrigin)).toEqual({ status: 200, body: asAda });
    expect((await post({ 'Sec-Fetch-Site': 'none' })).body).toBe(asAda);
    expect((await post({ ...json, 'Content-Type': 'application/json; charset=utf-8' })).body).toBe(
      asAda,
    );
  });

  test.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: `${url}.evil.example` },
    { ...sameOrigin, 'Content-Type': 'application/x-www-form-urlencoded' },
  ])('does not authenticate requests with %o', async (headers) => {
    const form = `query=${encodeURIComponent(rename)}`;
    const isForm = 'Content-Type' in headers;
    const { body } = await send('/graphql', {
      method: 'POST',
      headers: { ...json, ...headers } as Record<string, string>,
      body: isForm ? form : JSON.stringify({ query: rename }),
    });
    expect(body).not.toContain('"data":{"updateProject"');
    expect(await description()).not.toBe('changed');
  });

  test('is not needed with a token, from any origin', async () => {
    const { body } = await send('/graphql', {
      method: 'POST',
      headers: { ...json, 'Private-Token': ada.token, Origin: 'https://evil.example' },
      body: JSON.stringify({ query }),
    });
    expect(body).toBe(asAda);
  });

  test('authenticates GET requests, which can only read', async () => {
    const get = (text: string, headers: Readonly<Record<string, string>> = sameOrigin) =>
      send(`/graphql?query=${encodeURIComponent(text)}`, { headers });
    expect(await get(query)).toEqual({ status: 200, body: asAda });
    expect((await get(query, { 'Sec-Fetch-Site': 'cross-site' })).body).toBe(
      '{"data":{"currentUser":null}}',
    );
    expect((await get(rename)).status).toBe(405);
    expect(await description()).not.toBe('changed');
  });
});
