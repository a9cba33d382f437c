import { expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { world } from '../support/world.ts';

const server = await world();
const ada = await server.seed.user('ada');
const { id } = await server.seed.project('ada/app', {}, { visibility: 'public' });
const folder = await workTree({ 'a.txt': 'a\n' });
await git(folder, 'checkout', '--quiet', '-b', 'topic');
const sha = await commit(folder, { 'b.txt': 'b\n' }, 'Add b');
await git(folder, 'checkout', '--quiet', 'master');
await commit(folder, { 'c.txt': 'c\n' }, 'Add c');
await git(folder, 'push', '--quiet', server.remote('ada/app', ada), '--all');
const client = server.as(ada);
const fields = { source_branch: 'topic', target_branch: 'master', title: 'Add b' };
const { body } = await client.post(`/projects/${id}/merge_requests`, fields);
const { iid } = body as { readonly iid: number };
const stored = async () =>
  (await client.get(`/projects/${id}/merge_requests/${iid}`)).body as Record<string, unknown>;
const { signedIn } = await browser(server.url);
const address = `/ada/app/merge_requests/${iid}`;

test('a merge request waits for its pipeline, and stops waiting', async () => {
  await client.put(`/projects/${id}`, { only_allow_merge_if_pipeline_succeeds: true });
  const page = await signedIn(ada);
  await page.goto(address);
  expect(await page.getByText('must succeed first').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: /^Merge/ }).count()).toBe(0);
  await client.post(`/projects/${id}/statuses/${sha}`, { state: 'running', ref: 'topic' });
  await page.goto(address);
  await page.getByRole('button', { name: 'Merge when pipeline succeeds' }).click();
  await page.getByText('It will be merged when its pipeline succeeds.').waitFor();
  expect(await stored()).toMatchObject({ merge_when_pipeline_succeeds: true });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel automatic merge' }).click();
  await page.getByRole('button', { name: 'Merge when pipeline succeeds' }).waitFor();
  expect(await stored()).toMatchObject({ merge_when_pipeline_succeeds: false });
});

test('a merge request is rebased', async () => {
  const page = await signedIn(ada);
  await page.goto(address);
  await page.getByRole('button', { name: 'Rebase' }).click();
  await expect.poll(async () => (await stored()).sha, { timeout: 20_000 }).not.toBe(sha);
  await page.goto(`${address}/commits`);
  expect(await page.getByRole('link', { name: 'Add b' }).first().isVisible()).toBe(true);
});

test('the changes are downloaded in the format of git', async () => {
  const response = await fetch(`${server.url}${address}.diff`);
  expect(response.headers.get('Content-Type')).toContain('text/plain');
  expect(await response.text()).toContain('diff --git a/b.txt b/b.txt\nnew file mode 100644\n');
});
