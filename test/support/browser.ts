import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, vi } from 'vitest';
import type { TestUser } from './seed.ts';
import { visitorAt } from './visitor.ts';

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
  /** An empty page of a user who is signed in. */
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
      const context = await visitor(chrome, url, look ?? {});
      await context.addCookies([{ name: sessionCookie, value: await sessionOf(url, user), url }]);
      return context.newPage();
    },
  };
}

const sessionCookie = '_millrace_session';

/** The cookie of a new session: the browser's own requests for it would take ten times as long. */
async function sessionOf(url: string, user: TestUser): Promise<string> {
  const client = visitorAt(url);
  const { status, location } = await client.signIn(user);
  if (status !== 303 || !client.cookie) throw new Error(`sign-in: ${status} ${location}`);
  return client.cookie;
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

/** Presses a button in the main part of a page, and returns the status of the response to its form. */
export async function press(page: Page, name: string): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.locator('main').getByRole('button', { name, exact: true }).click(),
  ]);
  await page.waitForLoadState();
  return response.status();
}
