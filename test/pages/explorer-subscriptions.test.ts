import { expect, test } from 'vitest';
import { browser } from '../support/browser.ts';
import { openExplorer } from '../support/explorer.ts';
import { world } from '../support/world.ts';

const { seed, url, as } = await world();
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
await seed.project('ada/app');
await seed.push('ada/app', { 'README.md': '# App' });
const project = '/projects/ada%2Fapp';
await as(ada).post(`${project}/repository/commits`, {
  branch: 'topic',
  start_branch: 'master',
  commit_message: 'Add a file',
  actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
});
await as(ada).post(`${project}/merge_requests`, {
  source_branch: 'topic',
  target_branch: 'master',
  title: 'Topic',
});

const document = 'subscription Follow { mergeRequestUpdated(id: 1) { title state } }';

/** The number of open subscriptions of the server. */
const subscriptionCount = async () =>
  /^millrace_subscriptions (\d+)$/m.exec(await (await fetch(`${url}/-/metrics`)).text())?.[1];

test('the explorer shows each event of a subscription until it is stopped', async () => {
  const { page, response, faults } = await openExplorer(
    await signedIn(ada, { javaScriptEnabled: true }),
  );
  await page.locator('.graphiql-query-editor .CodeMirror').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(document);
  await page.keyboard.press('Control+Enter');
  await expect.poll(response).toContain('"state": "OPENED"');
  expect(await subscriptionCount()).toBe('1');
  await as(ada).put(`${project}/merge_requests/1`, { state_event: 'close', title: 'Closed topic' });
  await expect.poll(response).toContain('"state": "CLOSED"');
  expect(await response()).toContain('"title": "Closed topic"');
  await page.getByRole('button', { name: /stop query/i }).click();
  await page.getByRole('button', { name: /execute query/i }).waitFor();
  await expect.poll(subscriptionCount).toBe('0');
  expect(faults).toEqual([]);
});
