import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { browser, signIn } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import { millraceRunners } from '../support/millrace-runner.ts';
import { rootToken, startProcess } from '../support/process.ts';

const pipeline = 'unit:\n  script: echo every weight is right\n';

const password = 'correct horse battery';

/** A new service with a database of its own, as an operator starts it. */
async function install() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-everyday-'));
  const server = await startProcess(await freePort(), { MILLRACE_DATA: dataFolder });
  afterAll(async () => {
    await server.kill('SIGTERM');
    await rm(dataFolder, { recursive: true });
  });
  return server;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Follows a link of the page's own content. */
const follow = (page: Page, name: string | RegExp) =>
  page.locator('main').getByRole('link', { name, exact: true }).first().click();

const pathOf = (page: Page) => new URL(page.url()).pathname;

/** The work of a new administrator from the first start to a release, in a real browser. */
describe.each([
  ['without scripts', false],
  ['with scripts', true],
] as const)('a new administrator %s', async (_name, javaScriptEnabled) => {
  const server = await install();
  const { anonymous } = await browser(server.url);
  const registerRunner = millraceRunners(server.url);
  const remote = `${server.url.replace('://', `://root:${rootToken}@`)}/acme/anvil.git`;

  test('does everyday work, and finds all of it again', async () => {
    const page = await anonymous({ javaScriptEnabled });
    await page.goto('/users/sign_in');
    await signIn(page, { username: 'root', password });

    // the first page says what to do
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Welcome');
    await follow(page, 'New group');
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await page.getByLabel('Path', { exact: true }).fill('acme');
    await press(page, 'Create group');
    expect(pathOf(page)).toBe('/groups/acme');

    await follow(page, 'New project');
    await page.getByLabel('Name', { exact: true }).fill('Anvil');
    await page.getByLabel('Path', { exact: true }).fill('anvil');
    await press(page, 'Create project');
    expect(pathOf(page)).toBe('/acme/anvil');

    // a push to the address that the empty project shows
    expect(await page.locator('main').textContent()).toContain(`${server.url}/acme/anvil.git`);
    const folder = await workTree({ 'README.md': '# Anvil\n', '.gitlab-ci.yml': pipeline });
    await git(folder, 'remote', 'add', 'origin', remote);
    await git(folder, 'push', '--quiet', 'origin', 'master');
    await page.goto('/acme/anvil');
    expect(await page.getByRole('heading', { name: 'Anvil', level: 2 }).isVisible()).toBe(true);

    // a runner, which finishes the pipeline of that push
    await page.goto('/acme/anvil/settings/ci_cd');
    const token = await page.locator('[data-copy="the registration token"]').textContent();
    const runner = await registerRunner(token ?? '', {}, '--description', 'The forge');
    runner.run();
    await page.reload();
    expect(await page.getByText('The forge').isVisible()).toBe(true);

    // an issue
    await page.goto('/acme/anvil/issues');
    await follow(page, 'New issue');
    await page.getByLabel('Title').fill('The anvil is too light');
    await page.getByLabel('Description').fill('It should weigh **more**.');
    await press(page, 'Create issue');
    expect(pathOf(page)).toBe('/acme/anvil/issues/1');

    // a branch for it, and a change, of whose push git prints where to create the merge request
    await follow(page, 'Create branch');
    await press(page, 'Create branch');
    const branch = '1-the-anvil-is-too-light';
    await git(folder, 'fetch', '--quiet');
    await git(folder, 'switch', '--quiet', branch);
    await commit(folder, { 'weight.txt': '100 kg\n' }, 'Make the anvil heavy');
    const push = await tryGit(folder, 'push', 'origin', branch);
    const [, link = ''] = /^remote: +(http\S+)/m.exec(push.stderr) ?? [];
    await page.goto(link);
    await page.getByLabel('Title').fill('Make the anvil heavy');
    expect(await page.getByLabel('Description').inputValue()).toBe('Closes #1');
    await press(page, 'Create merge request');
    expect(pathOf(page)).toBe('/acme/anvil/merge_requests/1');

    // its pipeline and the log of its job
    await expect
      .poll(async () => {
        await page.goto('/acme/anvil/merge_requests/1');
        return page.locator('main').textContent();
      })
      .toMatch(/passed|success/);
    await page.goto('/acme/anvil/pipelines');
    await follow(page, /^Make the anvil heavy #/);
    await follow(page, 'unit');
    expect(await page.locator('main').textContent()).toContain('every weight is right');

    // a comment, and the merge, which closes the issue
    await page.goto('/acme/anvil/merge_requests/1');
    await page.getByLabel('Write a comment').fill('Heavy enough!');
    await press(page, 'Comment');
    expect(await page.getByText('Heavy enough!').first().isVisible()).toBe(true);
    await press(page, 'Merge');
    await expect
      .poll(async () => {
        await page.goto('/acme/anvil/merge_requests/1');
        return page.locator('main .state').first().textContent();
      })
      .toContain('Merged');
    await page.goto('/acme/anvil/blob/master/weight.txt');
    expect(await page.getByText('100 kg').isVisible()).toBe(true);
    await page.goto('/acme/anvil/issues/1');
    expect(
      await page.locator('main').getByRole('button', { name: 'Reopen' }).first().isVisible(),
    ).toBe(true);

    // a release
    await page.goto('/acme/anvil/releases');
    await follow(page, 'New release');
    await page.getByLabel('Tag', { exact: true }).fill('v1.0');
    await page.getByLabel('Release notes').fill('The first heavy anvil.');
    await press(page, 'Create release');
    expect(await page.getByText('The first heavy anvil.').first().isVisible()).toBe(true);

    // another user, who becomes a member and sees the project
    await page.goto('/admin/users');
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Bob Ross');
    await page.getByLabel('Username').fill('bob');
    await page.getByLabel('E-mail').fill('bob@example.com');
    await page.getByLabel('Password').fill(password);
    await press(page, 'Create user');
    await page.goto('/acme/anvil/project_members');
    await page.getByLabel('Username or e-mail').fill('bob');
    await press(page, 'Add member');
    expect(await page.locator('main').getByText('bob').first().isVisible()).toBe(true);
    const other = await anonymous({ javaScriptEnabled });
    await other.goto('/acme/anvil');
    await follow(other, 'sign in');
    await signIn(other, { username: 'bob', password });
    expect(await other.getByRole('heading', { name: 'Anvil', level: 2 }).isVisible()).toBe(true);

    // everything is found
    for (const [scope, search, found] of [
      ['projects', 'Anvil', 'Anvil'],
      ['groups', 'acme', 'Acme'],
      ['issues', 'light', 'The anvil is too light'],
      ['merge_requests', 'heavy', 'Make the anvil heavy'],
      ['users', 'bob', 'Bob Ross'],
    ] as const) {
      await page.goto(`/search?${new URLSearchParams({ search, scope })}`);
      expect(await page.locator('main').getByText(found).first().isVisible()).toBe(true);
    }
    await page.goto('/acme/anvil');
    await page.getByRole('searchbox').first().fill('100 kg');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?/);
    await follow(page, 'Code');
    expect(await page.locator('main').getByText('weight.txt').first().isVisible()).toBe(true);
    await follow(page, 'Commits');
    await page.locator('main').getByRole('searchbox').fill('heavy');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('main').getByText('Make the anvil heavy').count())
      .toBeGreaterThan(0);
  });
});
