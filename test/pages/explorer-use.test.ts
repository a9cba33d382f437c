import { describe, expect, test } from 'vitest';
import { examples } from '../../server/explorer/examples.ts';
import { browser, signIn } from '../support/browser.ts';
import { openExplorer } from '../support/explorer.ts';
import { pathProxy } from '../support/path-proxy.ts';
import { world } from '../support/world.ts';

const proxy = await pathProxy('/code');
const { seed, url } = await world({ variables: { MILLRACE_URL: proxy.url } });
proxy.forwardTo(url);
const { anonymous } = await browser(url);
const ada = await seed.user('ada');
await seed.project('ada/app', {}, { visibility: 'public' });

const withScripts = { javaScriptEnabled: true };
const address = `${proxy.url}/graphql`;

const openAnonymously = async () => openExplorer(await anonymous(withScripts), address);

async function openSignedIn() {
  const page = await anonymous(withScripts);
  await page.goto(`${proxy.url}/users/sign_in`);
  await signIn(page, ada);
  return openExplorer(page, address);
}

const editor = '.graphiql-query-editor .CodeMirror';
const username = '{ "data": { "currentUser": { "username": "ada" } } }';

const compact = (text: string) => JSON.stringify(JSON.parse(text || 'null'));

describe('the examples in the explorer', () => {
  test.each([
    ['anonymous', false],
    ['signed-in', true],
  ])('open and run for %s users', async (_, isSignedIn) => {
    const explorer = await (isSignedIn ? openSignedIn() : openAnonymously());
    const { page, faults } = explorer;
    for (const example of examples.filter(({ signedIn }) => signedIn === isSignedIn)) {
      await page.getByRole('button', { name: example.title, exact: true }).click();
      await expect.poll(explorer.document).toBe(example.document);
      await page.keyboard.press('Control+Enter');
      const [field = ''] = /(?<=\n {2})\w+/.exec(example.document) ?? [];
      await expect.poll(explorer.response).toContain(`"${field}": {`);
      expect(await explorer.response()).not.toContain('"errors"');
    }
    expect(faults).toEqual([]);
  });

  test('are opened once: the second time the tab is chosen, with its changes elsewhere kept', async () => {
    const { page, document } = await openAnonymously();
    const [, second] = examples;
    const button = page.getByRole('button', { name: second?.title ?? '', exact: true });
    await button.click();
    await button.click();
    await expect.poll(document).toBe(second?.document);
    expect(await page.locator('.graphiql-tab').count()).toBe(2);
    await page.getByRole('button', { name: examples[0]?.title ?? '', exact: true }).click();
    await expect.poll(document).toBe(examples[0]?.document);
    expect(await page.locator('.graphiql-tab').count()).toBe(2);
  });
});

describe('the explorer by keyboard alone', () => {
  test('runs a document with Ctrl-Enter, and Tab leaves the editor', async () => {
    const { page, response, faults } = await openAnonymously();
    const button = page.getByRole('button', { name: examples[0]?.title ?? '', exact: true });
    const isFocused = () => button.evaluate((element) => element.matches(':focus'));
    for (let presses = 0; presses < 40 && !(await isFocused()); presses += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.locator(`${editor}-focused`).waitFor();
    await page.keyboard.press('Control+Enter');
    await expect.poll(response).toContain('"fullPath": "ada/app"');
    await page.keyboard.press('Tab');
    await page
      .getByRole('button', { name: /execute query/i })
      .and(page.locator(':focus'))
      .waitFor();
    expect(faults).toEqual([]);
  });

  test('searches the documentation with Ctrl-K', async () => {
    const { page, faults } = await openAnonymously();
    await page.locator(editor).click();
    await page.keyboard.press('Control+K');
    await page.locator('.graphiql-doc-explorer-search input:focus').waitFor();
    await page.keyboard.type('forksCount');
    await page
      .getByRole('option', { name: /forksCount/ })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.graphiql-doc-explorer-title', { hasText: 'forksCount' }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('the user of the explorer', () => {
  test('is the one who signed in, after the sign-in page returned', async () => {
    const { page, faults } = await openAnonymously();
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Username or e-mail').waitFor();
    await signIn(page, ada);
    await page.getByRole('status').getByText('ada').waitFor();
    expect(faults).toEqual([]);
  });

  test('is the one of an access token, which no reload keeps', async () => {
    const { page, response } = await openAnonymously();
    await page.getByLabel('Access token').fill(ada.token);
    await page.getByRole('button', { name: 'Use token' }).click();
    await page.getByRole('status').getByText('ada (token)').waitFor();
    await page.locator(editor).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('{ currentUser { username } }');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => compact(await response())).toBe(compact(username));
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(ada.token);
    await page.reload();
    await page.getByRole('status').getByText('Sign in').waitFor();
  });

  test('is told of an invalid token', async () => {
    const { page } = await openAnonymously();
    await page.getByLabel('Access token').fill('not-a-token-at-all');
    await page.getByRole('button', { name: 'Use token' }).click();
    await page.getByText('The access token is not valid.').waitFor();
    await page.getByRole('button', { name: 'Remove token' }).click();
    await page.getByText('Requests are anonymous.').waitFor();
  });

  test('is the one of a header, which the history does not keep', async () => {
    const { page, response } = await openAnonymously();
    await page.locator(editor).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('query Header { currentUser { username } }');
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.graphiql-editor-tool .CodeMirror').last().click();
    await page.keyboard.insertText(JSON.stringify({ 'Private-Token': ada.token }));
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => compact(await response())).toBe(compact(username));
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.locator('.graphiql-history-item', { hasText: 'Header' }).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(ada.token);
  });
});

describe('the page of the explorer', () => {
  test('is revalidated with 304 at the second visit, and its files are not requested again', async () => {
    const { page } = await openAnonymously();
    const first = proxy.responses.length;
    await openExplorer(page, address);
    const [document, ...others] = proxy.responses.slice(first);
    expect(document).toBe('304 /code/graphql');
    for (const response of others) expect(response).toBe('200 /code/graphql?explorer');
  });

  test('fits a narrow window without a horizontal scroll bar', async () => {
    const { page } = await openExplorer(await anonymous({ ...withScripts, width: 400 }), address);
    const widths = 'document.documentElement.scrollWidth <= innerWidth';
    expect(await page.evaluate(widths)).toBe(true);
  });
});
