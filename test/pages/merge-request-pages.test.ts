import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { type Visitor, visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, as } = server;
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rae = await seed.user('rae');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const { id } = await seed.project(
  'acme/app',
  { master: dan, reporter: rae },
  { visibility: 'public' },
);
const hostile = '"><script>alert(1)</script>';
const template = `Template ${hostile}`;
const folder = await workTree({
  'README.md': '# App\n',
  '.gitlab/merge_request_templates/Default.md': template,
  '.gitlab/merge_request_templates/Fix.md': 'Fixes what?',
});
for (const name of ['easy', 'second', 'third', 'fourth', 'fifth']) {
  await git(folder, 'checkout', '--quiet', '-b', name, 'master');
  await commit(folder, { [`${name}.txt`]: 'text\n' }, `Add ${name}`);
}
await git(folder, 'checkout', '--quiet', '-b', 'conflicting', 'master');
await commit(folder, { 'README.md': '# Theirs\n' }, 'Theirs');
await git(folder, 'checkout', '--quiet', 'master');
await commit(folder, { 'README.md': '# Ours\n' }, 'Ours');
await git(folder, 'push', '--quiet', server.remote('acme/app', ada), '--all');
const root = '/acme/app/merge_requests';

const open = async (branch: string, fields: object = {}) => {
  const { body } = await as(dan).post(`/projects/${id}/merge_requests`, {
    ...{ source_branch: branch, target_branch: 'master', title: `Add ${branch}` },
    ...fields,
  });
  return (body as { readonly iid: number }).iid;
};
const stateOf = async (iid: number) =>
  (await as(ada).get(`/projects/${id}/merge_requests/${iid}`)).body as Record<string, unknown>;
const visitorOf = async (user: typeof ada): Promise<Visitor> => {
  const visitor = visitorAt(server.url);
  await visitor.signIn(user);
  return visitor;
};
const master = await visitorOf(dan);
const reporter = await visitorOf(rae);
const { signedIn } = await browser(server.url);

describe('a master', () => {
  test('creates, changes and merges a merge request', async () => {
    const page = await signedIn(dan);
    await page.goto(`${root}/new`);
    await expectAccessible(page);
    await page.getByLabel('Source branch').fill('easy');
    await page.getByRole('button', { name: 'Compare branches' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Add easy');
    expect(await page.getByLabel('Description').inputValue()).toBe(template);
    expect(await page.getByText('1 changed file').isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Fix', exact: true }).click();
    expect(await page.getByLabel('Description').inputValue()).toBe('Fixes what?');
    await page.getByLabel('Title').fill(`Easy ${hostile}`);
    await page.getByRole('button', { name: 'Create merge request' }).click();
    const address = new URL(page.url()).pathname;
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(hostile);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Mark as draft' }).click();
    expect(await page.getByText('It is a draft').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Merge', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Mark as ready' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await page.getByText('Approved by').textContent()).toContain('Dan');
    await page.getByRole('button', { name: 'Revoke approval' }).click();
    expect(await page.getByText('No approvals yet').isVisible()).toBe(true);
    for (const part of ['Commits', 'Pipelines', 'Changes']) {
      const parts = page.getByRole('navigation', { name: 'Merge request' });
      await parts.getByRole('link', { name: part }).click();
      await expectAccessible(page);
    }
    await page.goto(address);
    await page.getByLabel('Delete the source branch').check();
    await page.locator('summary', { hasText: 'Commit message' }).click();
    await page.getByLabel('Message of the merge commit').fill('Merge it\n\nAll of it.');
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    expect(await page.getByText('Merged by').isVisible()).toBe(true);
    await expectAccessible(page);
    const { body } = await as(ada).get(`/projects/${id}/repository/commits/master`);
    expect((body as { message: string }).message).toBe('Merge it\n\nAll of it.');
    expect((await as(ada).get(`/projects/${id}/repository/branches/easy`)).status).toBe(404);
    await page.locator('summary', { hasText: 'Revert' }).click();
    await page.getByRole('button', { name: 'Revert' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Revert');
  });

  test('edits all fields', async () => {
    await as(ada).post(`/projects/${id}/labels`, { name: 'bug', color: '#ff0000' });
    await as(ada).post(`/projects/${id}/milestones`, { title: 'v1' });
    const iid = await open('second');
    const page = await signedIn(dan);
    await page.goto(`${root}/${iid}/edit`);
    await expectAccessible(page);
    await page.getByLabel('Title').fill('Edited');
    await page.getByLabel('Description').fill('New text');
    await page.getByLabel('Assignee').selectOption(String(dan.id));
    await page.getByLabel('Milestone').selectOption('v1');
    await page.getByLabel('bug').check();
    await page.getByLabel('Target branch').fill('third');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(await stateOf(iid)).toMatchObject({
      title: 'Edited',
      description: 'New text',
      labels: ['bug'],
      target_branch: 'third',
      milestone: { title: 'v1' },
      assignee: { username: 'dan' },
    });
    await page.goto(`${root}/${iid}/edit`);
    await page.getByLabel('bug').uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(await stateOf(iid)).toMatchObject({ labels: [], assignee: { username: 'dan' } });
  });

  test('closes, reopens, subscribes and adds a to-do', async () => {
    const iid = await open('third');
    const at = (action: string) => master.submit(`${root}/${iid}/${action}`);
    expect((await at('close')).location).toBe(`${root}/${iid}`);
    expect(await stateOf(iid)).toMatchObject({ state: 'closed' });
    expect((await master.get(`${root}/${iid}`)).text).toContain('Reopen merge request');
    await at('reopen');
    expect(await stateOf(iid)).toMatchObject({ state: 'opened' });
    await at('unsubscribe');
    expect((await master.get(`${root}/${iid}`)).text).toContain('Subscribe');
    await at('todo');
    const todos = await as(dan).get('/todos');
    expect(todos.body).toMatchObject([{ target: { iid } }]);
    expect((await at('nothing')).status).toBe(404);
    expect((await at('delete')).status).toBe(403);
  });
});

describe('a merge request with conflicts', async () => {
  const iid = await open('conflicting');

  test('names the files and why it cannot be merged', async () => {
    const page = await signedIn(dan, { width: 390 });
    await page.goto(`${root}/${iid}`);
    expect(await page.getByText('There are conflicts').isVisible()).toBe(true);
    expect(await page.getByText('README.md', { exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Merge', exact: true }).count()).toBe(0);
    await expectAccessible(page);
  });

  test('shows the error of a form', async () => {
    const { status, text } = await master.submit(`${root}/${iid}/merge`, { sha: '' });
    expect(status).toBe(422);
    expect(text).toContain('Branch cannot be merged.');
  });
});

describe('a form with errors', () => {
  test('keeps its input', async () => {
    const fields = {
      source_branch: 'fourth',
      target_branch: 'master',
      title: ' ',
      description: `Kept ${hostile}`,
    };
    const { status, text } = await master.submit(root, fields);
    expect(status).toBe(422);
    expect(text).toContain('Title can&#39;t be blank.');
    expect(text).toContain('Kept &quot;&gt;&lt;script&gt;');
    const missing = await master.submit(root, { ...fields, title: 'x', source_branch: hostile });
    expect(missing.status).toBe(422);
    expect(missing.text).not.toContain('<script>alert');
    const iid = await open('fourth');
    const twice = await master.submit(root, { ...fields, title: 'Again' });
    expect(twice.status).toBe(422);
    expect(twice.text).toContain('already exists');
    const edited = await master.submit(`${root}/${iid}/edit`, { title: '' });
    expect(edited.status).toBe(422);
  });

  test('names branches that do not exist', async () => {
    const query = new URLSearchParams({
      'merge_request[source_branch]': hostile,
      'merge_request[target_branch]': 'master',
    });
    const { status, text } = await master.get(`${root}/new?${query}`);
    expect(status).toBe(422);
    expect(text).toContain('One of the branches does not exist.');
    expect(text).not.toContain('<script>alert');
  });
});

describe('a merge request', async () => {
  const iid = await open('fifth');
  const address = `${root}/${iid}`;
  const actions = ['merge', 'rebase', 'approve', 'draft', 'close', 'edit'];

  test.each(actions)('rejects %s of users without the right', async (action) => {
    const anonymous = await visitorAt(server.url).submit(`${address}/${action}`);
    expect(anonymous.location).toContain('/users/sign_in');
    expect((await reporter.submit(`${address}/${action}`, { title: 'x' })).status).toBe(403);
    expect(await stateOf(iid)).toMatchObject({ state: 'opened', title: 'Add fifth' });
  });

  test('shows no forms to users without the right', async () => {
    for (const visitor of [visitorAt(server.url), reporter]) {
      const { text } = await visitor.get(address);
      for (const action of actions) expect(text).not.toContain(`action="${address}/${action}"`);
    }
    expect((await visitorAt(server.url).get(`${root}/new`)).location).toContain('/users/sign_in');
    expect((await reporter.get(`${root}/new`)).status).toBe(403);
    expect((await reporter.get(`${address}/edit`)).status).toBe(403);
    await as(ada).put(`/projects/${id}`, { visibility: 'private' });
    const stranger = await visitorOf(sam);
    expect((await stranger.get(address)).status).toBe(404);
    expect((await stranger.submit(`${address}/merge`)).status).toBe(404);
    await as(ada).put(`/projects/${id}`, { visibility: 'public' });
  });

  test('is deleted by owners', async () => {
    const owner = await visitorOf(ada);
    expect((await owner.submit(`${address}/delete`)).location).toBe(root);
    expect((await owner.get(address)).status).toBe(404);
  });
});

test('a fork opens a merge request into its parent', async () => {
  const fork = await as(sam).post(`/projects/${id}/fork`, {});
  const forkId = (fork.body as { readonly id: number }).id;
  await expect
    .poll(
      async () =>
        ((await as(sam).get(`/projects/${forkId}`)).body as Record<string, unknown>).import_status,
      { timeout: 20_000 },
    )
    .toBe('finished');
  const commitInput = {
    branch: 'mine',
    commit_message: 'Mine',
    actions: [{ action: 'create', file_path: 'mine.txt', content: 'mine\n' }],
  };
  await as(sam).post(`/projects/${forkId}/repository/branches`, { branch: 'mine', ref: 'master' });
  await as(sam).post(`/projects/${forkId}/repository/commits`, commitInput);
  // the fork does not have this commit, with which its branch is compared
  await as(ada).post(`/projects/${id}/repository/commits`, {
    branch: 'master',
    commit_message: 'Ahead',
    actions: [{ action: 'create', file_path: 'ahead.txt', content: 'ahead\n' }],
  });
  const page = await signedIn(sam);
  await page.goto('/sam/app/merge_requests/new');
  await page.getByLabel('Source branch').fill('mine');
  expect(await page.getByLabel('Target project').inputValue()).toBe('acme/app');
  await page.getByRole('button', { name: 'Compare branches' }).click();
  expect(await page.getByRole('heading', { name: '1 commit' }).count()).toBe(1);
  expect(await page.locator('ul.entries').getByText('Mine').count()).toBe(1);
  expect(await page.getByRole('heading', { name: 'mine.txt' }).count()).toBe(1);
  expect(await page.getByRole('heading', { name: 'ahead.txt' }).count()).toBe(0);
  expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
  await expectAccessible(page);
  await page.getByLabel('Title').fill('From a fork');
  await page.getByRole('button', { name: 'Create merge request' }).click();
  expect(new URL(page.url()).pathname).toMatch(/^\/acme\/app\/merge_requests\/\d+$/);
  expect(await page.getByText('sam/app:mine').isVisible()).toBe(true);
  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByRole('heading', { name: 'mine.txt' }).waitFor();
});

test('a pushed branch of a fork leads to a merge request into its parent', async () => {
  const opened = await visitorOf(sam);
  const source = new URLSearchParams({ 'merge_request[source_branch]': 'mine' });
  const address = `/sam/app/merge_requests/new?${source}`;
  expect((await opened.get(address)).text).toContain('acme/app:master');
  // a chosen target stays
  const own = await opened.get(`${address}&merge_request[target_branch]=master`);
  expect(own.text).not.toContain('acme/app:master');
  await as(ada).put(`/projects/${id}`, { merge_requests_enabled: false });
  const closed = await opened.get(address);
  await as(ada).put(`/projects/${id}`, { merge_requests_enabled: true });
  expect(closed.status).toBe(200);
  expect(closed.text).not.toContain('acme/app:master');
});

test('the preview of a merge request from a fork needs access to both projects', async () => {
  const opened = await visitorOf(sam);
  const address = (source: string, target: string) =>
    `/sam/app/merge_requests/new?${new URLSearchParams({
      'merge_request[source_branch]': source,
      'merge_request[target_branch]': target,
      'merge_request[target_project]': 'acme/app',
    })}`;
  for (const [source, target] of [
    ['missing', 'master'],
    ['mine', 'missing'],
  ] as const) {
    const { status, text } = await opened.get(address(source, target));
    expect(status).toBe(422);
    expect(text).toContain('One of the branches does not exist.');
  }
  expect((await opened.get(address('mine', 'master'))).text).toContain('acme/app:master');
  await as(ada).put(`/projects/${id}`, { visibility: 'private' });
  const closed = await opened.get(address('mine', 'master'));
  await as(ada).put(`/projects/${id}`, { visibility: 'public' });
  // the fork shows no source that the user may not see
  expect(closed.text).not.toContain('acme/app');
});
