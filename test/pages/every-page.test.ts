import { describe, expect, test } from 'vitest';
import { pages } from '../../server/pages/index.ts';
import { sectionsOfGroups, sectionsOfProjects } from '../../server/pages/sections.ts';
import { browser } from '../support/browser.ts';
import { expectNothingInjected } from '../support/hostile/texts.ts';
import { hostileWorld } from '../support/hostile/world.ts';

const { server, inProject, inGroup, records, addresses } = await hostileWorld();

const patterns = pages.filter(({ method }) => method === 'get').map(({ path }) => path);
const shown = <Section extends { readonly word: string; readonly show?: unknown }>(
  sections: readonly Section[],
) => [...new Set(sections.filter(({ show }) => show).map(({ word }) => word))];

test('each page is in the corpus', () => {
  expect(shown(sectionsOfProjects).filter((word) => inProject[word] === undefined)).toEqual([]);
  expect(shown(sectionsOfGroups).filter((word) => inGroup[word] === undefined)).toEqual([]);
  expect(patterns.filter((path) => /[:*]/.test(path) && records[path] === undefined)).toEqual([]);
});

const { signedIn } = await browser(server.url);

/** Runs in the browser: what makes a page wider than its window. */
function tooWide(): readonly string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth && !scrolls(element))
    .map(({ outerHTML }) => outerHTML.slice(0, 100));
}

describe('no text of a user becomes markup, a script or a scrolling page', async () => {
  const page = await signedIn(server.root, {
    width: 390,
    javaScriptEnabled: true,
    bypassCSP: true,
  });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(page.url());
    return dialog.dismiss();
  });

  test.each(addresses)('%s', async (address) => {
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(200);
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'");
    await expectNothingInjected(page);
    expect(dialogs).toEqual([]);
    expect(await page.evaluate(tooWide)).toEqual([]);
  });
});
