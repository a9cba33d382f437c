import type { Locator, Page } from 'playwright-core';

/** More than any page has things to focus between two that a test goes to. */
const mostSteps = 200;

/** Presses Tab until `target` has the focus; throws if it is not reached before the page ends. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const element = await target.first().elementHandle({ timeout: 10_000 });
  if (!element) throw new Error('there is nothing to go to');
  for (let step = 0; step < mostSteps; step += 1) {
    if (await element.evaluate((wanted) => wanted === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${await element.evaluate((wanted) => wanted.outerHTML)}`);
}

/** Goes to a field and types, in place of what it holds. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Goes to a link or button and presses it; waits for the page after it. */
export async function follow(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
  await page.waitForLoadState();
}

/** Chooses an option of a select as browsers do it, by the letters of its name. */
export async function choose(page: Page, target: Locator, name: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(name);
}

interface Focused {
  readonly name: string;
  readonly isMarked: boolean;
  readonly isShown: boolean;
}

/** What Tab goes to from the start of a page to its end. */
export async function focusOrder(page: Page): Promise<readonly Focused[]> {
  const order: Focused[] = [];
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    getSelection()?.removeAllRanges();
  });
  for (let step = 0; step < mostSteps; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const isRepeated = element.hasAttribute('data-visited-by-tab');
      element.setAttribute('data-visited-by-tab', '');
      // an input may be drawn by its label
      const drawn = [
        element,
        element.closest('label'),
        element.nextElementSibling,
        element.parentElement,
      ];
      const isMarked = drawn.some((candidate) => {
        if (!candidate) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
      });
      const { width, height, right, bottom } = element.getBoundingClientRect();
      const isShown = width > 0 && height > 0 && right > 0 && bottom > 0;
      return { name: element.outerHTML.slice(0, 120), isMarked, isShown, isRepeated };
    });
    if (!focused || focused.isRepeated) return order;
    order.push({ name: focused.name, isMarked: focused.isMarked, isShown: focused.isShown });
  }
  throw new Error('Tab never leaves the page');
}
