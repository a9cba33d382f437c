import { describe, expect, test } from 'vitest';
import { expectAccessibleIn } from '../../support/accessibility.ts';
import { browser } from '../../support/browser.ts';
import { hostileWorld } from '../../support/hostile/world.ts';

const { server, addresses } = await hostileWorld();
const { signedIn } = await browser(server.url);
const page = await signedIn(server.root, { javaScriptEnabled: true });

/** Runs in the browser: the places, among the forms of a page, of those that need a text. */
const formsWithText = () =>
  [...document.forms].flatMap(({ method, action, elements }, place) =>
    method === 'post' &&
    [...elements].some((element) => element.matches('[required]:not([type="file"])'))
      ? [{ place, action: new URL(action).pathname }]
      : [],
  );

/** Runs in the browser: changes what a form has, but empties a field that is required, and sends it. */
function sendWithoutOne(place: number): (readonly [name: string, value: string])[] {
  const values: Readonly<Record<string, string>> = {
    number: '7',
    date: '2031-02-03',
    color: '#123456',
    email: 'typed@example.com',
    url: 'https://example.com/typed',
  };
  const form = document.forms[place];
  if (!form) throw new Error('the form is no longer on the page');
  const missing = form.querySelector<HTMLInputElement>('[required]:not([type="file"])');
  for (const field of form.elements) {
    if (field instanceof HTMLTextAreaElement) field.value = 'typed words';
    if (field instanceof HTMLSelectElement) field.selectedIndex = field.options.length - 1;
    if (field instanceof HTMLInputElement) {
      if (field.type === 'checkbox') field.checked = !field.checked;
      else if (field.type === 'radio') field.checked = true;
      else if (!['hidden', 'file', 'submit'].includes(field.type)) {
        field.value = values[field.type] ?? 'typed';
      }
    }
  }
  if (missing) missing.value = '';
  const typed = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' &&
    form.querySelector(`[name="${name}"]:not([type="hidden"], [type="password"])`)
      ? [[name, value] as const]
      : [],
  );
  form.submit();
  return typed;
}

/** Runs in the browser: which of the values no form of the page has that goes to the address. */
const lost = ({ action, typed }: { action: string; typed: (readonly [string, string])[] }) => {
  const kept = [...document.forms]
    .filter((form) => new URL(form.action).pathname === action)
    .flatMap((form) => [...new FormData(form)].map(([name, value]) => `${name}=${value}`));
  return typed.map(([name, value]) => `${name}=${value}`).filter((pair) => !kept.includes(pair));
};

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

test.each(['/acme/app', '/groups/acme'])(
  '%s is not deleted by another text than its path',
  async (place) => {
    const action = `${place}/edit/delete`;
    await page.goto(`${place}/edit`);
    const form = page.locator(`form[action$="${action}"]`);
    await form.locator('xpath=ancestor::details').locator('summary').click();
    await form.getByLabel('to confirm').fill('acme/ap');
    await form.getByRole('button').click();
    const typed: [string, string][] = [['confirmation', 'acme/ap']];
    expect(await page.evaluate(lost, { action, typed })).toEqual([]);
    expect(await page.locator('main .fault').innerText()).toContain('Confirmation is not the path');
    await expectAccessibleIn(page, 'light', 1280);
  },
);

describe('a form without what it requires is refused, keeps the rest, and passes axe', () => {
  test.each(forms)('%s → %s', async (address, action, place) => {
    await page.goto(address);
    const [response, , typed] = await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'POST'),
      page.waitForEvent('load'),
      page.evaluate(sendWithoutOne, place),
    ]);
    expect(response.status()).toBe(422);
    const errors = page.locator('main :is(.fault, [role="alert"])');
    expect(await errors.count()).toBeGreaterThan(0);
    expect(await page.evaluate(lost, { action, typed })).toEqual([]);
    if (place % 2 === 0) await expectAccessibleIn(page, 'light', 1280);
    else await expectAccessibleIn(page, 'dark', 390);
  });
});
