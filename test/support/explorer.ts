import type { Page } from 'playwright-core';

/** The explorer in a browser with scripts. */
export interface OpenExplorer {
  readonly page: Page;
  /** The hosts of all requests. */
  readonly hosts: ReadonlySet<string>;
  /** Uncaught errors and errors of the console, of the content security policy, too. */
  readonly faults: readonly string[];
  /** The document in the open tab. */
  readonly document: () => Promise<string>;
  /** The text of the response. */
  readonly response: () => Promise<string>;
}

/** The text of an editor, without its line numbers. */
const textOf = (page: Page, editor: string): Promise<string> =>
  page.evaluate((selector) => {
    const { document } = globalThis as unknown as {
      document: { querySelector: (selector: string) => { CodeMirror: { getValue(): string } } };
    };
    return document.querySelector(selector).CodeMirror.getValue();
  }, `${editor} .CodeMirror`);

/** Opens the explorer, and waits until its panel and its schema are there. */
export async function openExplorer(page: Page, address = '/graphql'): Promise<OpenExplorer> {
  const hosts = new Set<string>();
  const faults: string[] = [];
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (line) => {
    if (line.type() === 'error') faults.push(line.text());
  });
  await page.goto(address);
  await page.getByRole('heading', { name: 'Millrace GraphQL' }).waitFor();
  await page.locator('.graphiql-query-editor .CodeMirror').waitFor();
  return {
    page,
    hosts,
    faults,
    document: () => textOf(page, '.graphiql-query-editor'),
    response: () => textOf(page, '.graphiql-response'),
  };
}
