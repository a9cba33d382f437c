import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageOptions } from './browser.ts';

/** What a page that `expectStatesAccessible` checks needs; its content policy is bypassed for axe-core. */
export const checkedPage: PageOptions = { javaScriptEnabled: true, bypassCSP: true };

const checks = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** Lets axe-core run in each document that `page` opens. */
export async function prepareChecks(page: Page): Promise<Page> {
  await page.addInitScript({ path: checks });
  // a transition between light and dark would be checked halfway
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return page;
}

/** Runs in the browser: the violations in the elements of a selector, or in the whole document. */
async function violationsIn(selector: string): Promise<readonly string[]> {
  const { axe: looker } = globalThis as unknown as { axe: typeof axe };
  const context = selector === '' ? document : { include: selector };
  const { violations } = await looker.run(context, { resultTypes: ['violations'] });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

const look = async (page: Page, colorScheme: 'light' | 'dark', width: number) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
};

/** Opens what is collapsed within the text, and waits until its content is loaded. */
async function openDetails(page: Page): Promise<void> {
  const isLoading = await page.evaluate(() => {
    const loads = document.querySelector('details[data-load], [data-replace]') !== null;
    for (const details of document.querySelectorAll<HTMLDetailsElement>('details:not(.menu)')) {
      details.open = true;
    }
    return loads;
  });
  // it takes half a second at least
  if (isLoading) await page.waitForLoadState('networkidle');
}

/**
 * Expects that axe-core finds no serious or critical fault on a page, with everything collapsed
 * opened: in light colours and a wide window, then in dark colours and a narrow one. Menus cover
 * other content, so each is opened and checked alone.
 */
export async function expectStatesAccessible(page: Page): Promise<void> {
  await openDetails(page);
  await look(page, 'light', 1280);
  const light = await page.evaluate(violationsIn, '');
  await look(page, 'dark', 390);
  const dark = await page.evaluate(violationsIn, '');
  const menus = await page.locator('main details.menu').count();
  const inMenus: string[] = [];
  if (menus > 0) {
    await page.evaluate(() => {
      for (const menu of document.querySelectorAll<HTMLDetailsElement>('main details.menu')) {
        menu.open = true;
      }
    });
    inMenus.push(...(await page.evaluate(violationsIn, 'main details.menu')));
  }
  expect({ light, dark, inMenus }).toEqual({ light: [], dark: [], inMenus: [] });
}

/** The same in one look, for a page of which other states are checked in the other. */
export async function expectAccessibleIn(
  page: Page,
  colorScheme: 'light' | 'dark',
  width: number,
): Promise<void> {
  await openDetails(page);
  await look(page, colorScheme, width);
  expect(await page.evaluate(violationsIn, '')).toEqual([]);
}
