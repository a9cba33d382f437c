import { describe, expect, test } from 'vitest';
import { browser } from '../support/browser.ts';
import { clientOf } from '../support/client.ts';
import { commit, git, workTree } from '../support/git.ts';
import { world } from '../support/world.ts';

const pipeline = 'unit:\n  script: make test\n';

/** The work of a new administrator from the first sign-in to a release, in a real browser. */
describe.each([
  ['without scripts', false],
  ['with scripts', true],
] as const)('a new administrator %s', async (_name, javaScriptEnabled) => {
  const server = await world();
  const bob = await server.seed.user('bob');
  const { signedIn } = await browser(server.url);

  test('does everyday work, and finds all of it again', async () => {
    const page = await signedIn(server.root, { javaScriptEnabled });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const pathOf = () => new URL(page.url()).pathname;

    // the first page says what to do
    await page.goto('/');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Welcome');
    await page.locator('main').getByRole('link', { name: 'New group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await page.getByLabel('Path', { exact: true }).fill('acme');
    await press('Create group');
    expect(pathOf()).toBe('/groups/acme');

    await page.locator('main').getByRole('link', { name: 'New project' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Anvil');
    await page.getByLabel('Path', { exact: true }).fill('anvil');
    await press('Create project');
    expect(pathOf()).toBe('/acme/anvil');

    // a push, with the address that the empty project shows
    const folder = await workTree({ 'README.md': '# Anvil\n', '.gitlab-ci.yml': pipeline });
    const remote = server.remote('acme/anvil', server.root);
    await git(folder, 'push', '--quiet', remote, 'master');
    await page.goto('/acme/anvil');
    expect(await page.getByRole('heading', { name: 'Anvil', level: 2 }).isVisible()).toBe(true);

    // an issue
    await page.goto('/acme/anvil/issues');
    await page.locator('main').getByRole('link', { name: 'New issue' }).first().click();
    await page.getByLabel('Title').fill('The anvil is too light');
    await page.getByLabel('Description').fill('It should weigh **more**.');
    await press('Create issue');
    expect(pathOf()).toBe('/acme/anvil/issues/1');

    // a branch with a change, and its merge request
    await commit(folder, { 'weight.txt': '100 kg\n' }, 'Make the anvil heavy');
    await git(folder, 'push', '--quiet', remote, 'master:heavy');
    const query = new URLSearchParams({ 'merge_request[source_branch]': 'heavy' });
    await page.goto(`/acme/anvil/merge_requests/new?${query}`);
    await page.getByLabel('Title').fill('Make the anvil heavy');
    await page.getByLabel('Description').fill('Closes #1');
    await press('Create merge request');
    expect(pathOf()).toBe('/acme/anvil/merge_requests/1');

    // its pipeline, which a new runner finishes
    await page.goto('/acme/anvil/settings/ci_cd');
    const token = await page.locator('[data-copy="the registration token"]').textContent();
    const runner = clientOf(server.url, null);
    const registered = await runner.post('/runners', { token, description: 'The forge' });
    expect(registered.status).toBe(201);
    await page.reload();
    expect(await page.getByText('The forge').isVisible()).toBe(true);
    const runnerToken = (registered.body as { token: string }).token;
    for (;;) {
      const { status, body } = await runner.post('/jobs/request', { token: runnerToken });
      if (status !== 201) break;
      const job = body as { id: number; token: string };
      await runner.put(`/jobs/${job.id}`, { token: job.token, state: 'success' });
    }
    await page.goto('/acme/anvil/merge_requests/1');
    expect(await page.locator('main').getByText('success').first().isVisible()).toBe(true);

    // a comment, and the merge
    await page.getByLabel('Write a comment').fill('Heavy enough!');
    await press('Comment');
    expect(await page.getByText('Heavy enough!').first().isVisible()).toBe(true);
    await press('Merge');
    await expect
      .poll(async () => {
        await page.goto('/acme/anvil/merge_requests/1');
        return page.locator('main .state').first().textContent();
      })
      .toContain('Merged');
    await page.goto('/acme/anvil/blob/master/weight.txt');
    expect(await page.getByText('100 kg').isVisible()).toBe(true);

    // a release
    await page.goto('/acme/anvil/releases');
    await page.locator('main').getByRole('link', { name: 'New release' }).first().click();
    await page.getByLabel('Tag', { exact: true }).fill('v1.0');
    await page.getByLabel('Release notes').fill('The first heavy anvil.');
    await press('Create release');
    expect(await page.getByText('The first heavy anvil.').first().isVisible()).toBe(true);

    // another member
    await page.goto('/acme/anvil/project_members');
    await page.getByLabel('Username or e-mail').fill('bob');
    await press('Add member');
    expect(await page.locator('main').getByText('bob').first().isVisible()).toBe(true);
    const { status } = await server.as(bob).get('/projects/acme%2Fanvil');
    expect(status).toBe(200);

    // everything is found
    const { body } = await server.as(server.root).get('/projects/acme%2Fanvil');
    const { id } = body as { id: number };
    for (const [scope, search, found] of [
      ['projects', 'Anvil', 'Anvil'],
      ['issues', 'light', 'The anvil is too light'],
      ['merge_requests', 'heavy', 'Make the anvil heavy'],
      ['users', 'bob', 'bob'],
    ] as const) {
      await page.goto(`/search?${new URLSearchParams({ search, scope })}`);
      expect(await page.locator('main').getByText(found).first().isVisible()).toBe(true);
    }
    await page.goto(`/search?project_id=${id}&scope=blobs&search=100+kg`);
    expect(await page.locator('main').getByText('weight.txt').first().isVisible()).toBe(true);
  });
});
