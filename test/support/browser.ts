import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, vi } from 'vitest';
import type { TestUser } from './seed.ts';

export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  /** Pixels, 1280 by default. */
  readonly width?: number;
  /** Off by default: pages work without scripts, only the explorer needs them. */
  readonly javaScriptEnabled?: boolean;
  /** Lets a test inject scripts despite the content security policy. */
  readonly bypassCSP?: boolean;
}

/** A real browser for one service. Each visitor has separate cookies. */
export interface TestBrowser {
  /** A page without cookies. Addresses are relative to the service: `page.goto('/')`. */
  readonly anonymous: (look?: PageOptions) => Promise<Page>;
  /** A page of a user who signed in with the form. */
  readonly signedIn: (user: TestUser, look?: PageOptions) => Promise<Page>;
}

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Test timeout, milliseconds; a browser is slow on a busy machine. */
const patience = 90_000;

/**
 * One Chromium for a test file, closed after it; `url` is the service's address. Call it before the
 * tests are declared, because it raises their timeout.
 */
export async function browser(url: string): Promise<TestBrowser> {
  const chrome = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args,
  });
  vi.setConfig({ testTimeout: patience });
  afterAll(() => {
    vi.resetConfig();
    return chrome.close();
  });
  const anonymous = async (look: PageOptions = {}) => (await visitor(chrome, url, look)).newPage();
  return {
    anonymous,
    signedIn: async (user, look) => {
      const page = await anonymous(look);
      await page.goto('/users/sign_in');
      await signIn(page, user);
      return page;
    },
  };
}

/** Fills in the sign-in form on `page`, and waits for the next page. */
export async function signIn(
  page: Page,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
): Promise<void> {
  await page.getByLabel('Username or e-mail').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((address) => !address.pathname.endsWith('/users/sign_in'));
}

const visitor = (
  chrome: Browser,
  baseURL: string,
  {
    colorScheme = 'light',
    width = 1280,
    javaScriptEnabled = false,
    bypassCSP = false,
  }: PageOptions,
): Promise<BrowserContext> =>
  chrome.newContext({
    baseURL,
    colorScheme,
    javaScriptEnabled,
    bypassCSP,
    viewport: { width, height: 900 },
  });

const checks = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** The page in which axe-core runs, with scripts enabled. One per browser. */
const checkers = new WeakMap<Browser, Promise<Page>>();

async function openChecker(chrome: Browser): Promise<Page> {
  // a transition between light and dark would be checked halfway
  const context = await chrome.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
  await context.addInitScript({ path: checks });
  return context.newPage();
}

/**
 * Expects that axe-core finds no serious or critical fault, and enough contrast in light and dark
 * mode. axe-core needs scripts, so the content of `page` is loaded again in a page where scripts
 * can run.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const chrome = page.context().browser();
  if (!chrome) throw new Error('this page belongs to no browser');
  const opening = checkers.get(chrome) ?? openChecker(chrome);
  checkers.set(chrome, opening);
  const checker = await opening;
  const address = page.url();
  const body = await page.content();
  await checker.setViewportSize(page.viewportSize() ?? { width: 1280, height: 900 });
  await checker.route(address, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
  );
  try {
    await checker.emulateMedia({ colorScheme: 'light' });
    await checker.goto(address);
    expect(await checker.evaluate(faults, null)).toEqual([]);
    await checker.emulateMedia({ colorScheme: 'dark' });
    expect(await checker.evaluate(faults, 'color-contrast')).toEqual([]);
  } finally {
    await checker.unroute(address);
  }
}

/**
 * The same for a page with scripts, in a browser that bypasses the content security policy. A
 * CodeMirror scrolls by the keys of its focused text area, which is beside the scrolled element.
 */
export async function expectProgramAccessible(page: Page): Promise<void> {
  await page.addScriptTag({ path: checks });
  const isFault = (fault: string) =>
    !/^scrollable-region-focusable: <div class="CodeMirror-scroll"/.test(fault);
  expect((await page.evaluate(faults, null)).filter(isFault)).toEqual([]);
}

/** Runs in the browser; gives the violations of one rule, or of any. */
async function faults(rule: string | null): Promise<readonly string[]> {
  const { axe: looker } = globalThis as unknown as { axe: typeof axe };
  const { violations } = await looker.run(rule === null ? {} : { runOnly: rule });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Presses a button in the main part of a page, and returns the status of the response to its form. */
export async function press(page: Page, name: string): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.locator('main').getByRole('button', { name, exact: true }).click(),
  ]);
  await page.waitForLoadState();
  return response.status();
}
