import { describe, expect, test } from 'vitest';
import { browser } from '../support/browser.ts';
import { hostileWorld } from '../support/hostile/world.ts';
import { checkedPage, expectAccessibleIn, prepareChecks } from '../support/page-states.ts';

const { server, addresses } = await hostileWorld();
const { signedIn } = await browser(server.url);
const page = await prepareChecks(await signedIn(server.root, checkedPage));

/** Runs in the browser: the places, among the forms of a page, of those that need a text. */
const formsWithText = () =>
  [...document.forms].flatMap(({ method, action, elements }, place) =>
    method === 'post' &&
    [...elements].some((element) => element.matches('[required]:not([type="file"])'))
      ? [{ place, action: new URL(action).pathname }]
      : [],
  );

/** Runs in the browser: empties each field that is required, and sends the form despite that. */
function sendEmpty(place: number): void {
  const form = document.forms[place];
  if (!form) throw new Error('the form is no longer on the page');
  for (const field of form.querySelectorAll<HTMLInputElement>('[required]')) field.value = '';
  form.submit();
}

const forms: [address: string, action: string, place: number][] = [];
const known = new Set<string>();
for (const address of addresses) {
  await page.goto(address);
  for (const { place, action } of await page.evaluate(formsWithText)) {
    // it shows what is wrong with a CI file, and refuses none
    if (known.has(action) || action.endsWith('/ci/lint')) continue;
    known.add(action);
    forms.push([address, action, place]);
  }
}

test('many pages have forms', () => {
  expect(forms.length).toBeGreaterThan(30);
});

describe('a form without what it requires is refused, with an error that axe accepts', () => {
  test.each(forms)('%s → %s', async (address, _action, place) => {
    await page.goto(address);
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST'),
      page.waitForEvent('load'),
      page.evaluate(sendEmpty, place),
    ]);
    expect(response.status()).toBe(422);
    const errors = page.locator('main :is(.fault, [role="alert"])');
    expect(await errors.count()).toBeGreaterThan(0);
    if (place % 2 === 0) await expectAccessibleIn(page, 'light', 1280);
    else await expectAccessibleIn(page, 'dark', 390);
  });
});
