import { describe, expect, test } from 'vitest';
import { expectAccessibleIn, expectStatesAccessible } from '../../support/accessibility.ts';
import { browser } from '../../support/browser.ts';
import { hostileWorld } from '../../support/hostile/world.ts';

const { server, eve, addresses } = await hostileWorld();
const { anonymous, signedIn } = await browser(server.url);
await server.as(server.root).put('/groups/acme', { visibility: 'public' });
await server.as(server.root).put('/projects/acme%2Fapp', { visibility: 'public' });

/** The content of a page without what differs in each response. */
const main = (text: string) =>
  text.slice(text.indexOf('<main')).replaceAll(/name="authenticity_token" value="[^"]*"/g, '');

test('axe finds an image without a text', async () => {
  const page = await anonymous({ javaScriptEnabled: true });
  await page.goto('/explore');
  await page.evaluate(() => document.querySelector('main')?.append(new Image(20, 20)));
  const fault = [expect.stringContaining('image-alt')];
  const actual = { light: fault, dark: fault, inMenus: [] };
  await expect(expectStatesAccessible(page)).rejects.toMatchObject({ actual });
});

describe('axe finds nothing on the page of an administrator, with what is collapsed opened', async () => {
  const page = await signedIn(server.root, { javaScriptEnabled: true });
  test.each(addresses)('%s', async (address) => {
    expect((await page.goto(address))?.status()).toBe(200);
    await expectStatesAccessible(page);
  });
});

describe.each([
  ['an anonymous user', null, 'dark', 390],
  ['a developer', eve, 'light', 1280],
] as const)('axe finds nothing on the page of %s', async (_name, user, colours, width) => {
  const look = { javaScriptEnabled: true };
  const page = await (user ? signedIn(user, look) : anonymous(look));
  // errors and the sign-in page are the same at many addresses
  const seen = new Set<string>();

  test.each(addresses)('%s', async (address) => {
    const response = await page.goto(address);
    expect([200, 403, 404]).toContain(response?.status());
    const content = main((await response?.text()) ?? '');
    if (seen.has(content)) return;
    seen.add(content);
    await expectAccessibleIn(page, colours, width);
  });
});
