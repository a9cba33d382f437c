import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, expect, vi } from 'vitest';
import type { Person } from './seed.ts';

export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  /** Pixels; 1280 when left out. */
  readonly width?: number;
  /** Pages work without; only the explorer is a program. */
  readonly javaScriptEnabled?: boolean;
  /** Scripts of a test may run beside the page's own. */
  readonly bypassCSP?: boolean;
}

/** A real browser that visits one service. Each visitor has cookies of their own. */
export interface TestBrowser {
  /** A page of somebody who never was here. Addresses begin below the service: `page.goto('/')`. */
  readonly anonymous: (look?: Look) => Promise<Page>;
  /** A page of somebody who signed in through the form. */
  readonly signedIn: (person: Person, look?: Look) => Promise<Page>;
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

/** Milliseconds; a browser takes its time on a machine that has other work. */
const patience = 90_000;

/**
 * One Chromium for a test file, closed with it; `url` is where the service is reached. To be called
 * before the tests are named: they get more time than others.
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
  const anonymous = async (look: Look = {}) => (await visitor(chrome, url, look)).newPage();
  return {
    anonymous,
    signedIn: async (person, look) => {
      const page = await anonymous(look);
      await page.goto('/users/sign_in');
      await signIn(page, person);
      return page;
    },
  };
}

/** Fills in the sign-in form that `page` shows, and waits for what comes after it. */
export async function signIn(
  page: Page,
  { username, password }: Pick<Person, 'username' | 'password'>,
): Promise<void> {
  await page.getByLabel('Username or e-mail').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((address) => address.pathname !== '/users/sign_in');
}

const visitor = (
  chrome: Browser,
  baseURL: string,
  { colorScheme = 'light', width = 1280, javaScriptEnabled = false, bypassCSP = false }: Look,
): Promise<BrowserContext> =>
  chrome.newContext({
    baseURL,
    colorScheme,
    javaScriptEnabled,
    bypassCSP,
    viewport: { width, height: 900 },
  });

const checks = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** Scripts run here: where pages are looked at by axe-core. One for each browser. */
const checkers = new WeakMap<Browser, Promise<Page>>();

async function openChecker(chrome: Browser): Promise<Page> {
  const context = await chrome.newContext({ bypassCSP: true });
  await context.addInitScript({ path: checks });
  return context.newPage();
}

/**
 * Nothing on the page shuts anybody out: axe-core finds no serious or critical fault in it, and in
 * light and dark enough contrast. It needs scripts, so what `page` shows is shown once more where
 * they may run.
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

/** The same of a program, as it stands in a browser that lets a test run scripts beside it. */
export async function expectProgramAccessible(page: Page): Promise<void> {
  await page.addScriptTag({ path: checks });
  expect(await page.evaluate(faults, null)).toEqual([]);
}

/** Runs in the browser; looks for what breaks one rule, or any. */
async function faults(rule: string | null): Promise<readonly string[]> {
  const { axe: looker } = globalThis as unknown as { axe: typeof axe };
  const { violations } = await looker.run(rule === null ? {} : { runOnly: rule });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
