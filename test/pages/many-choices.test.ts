import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as } = await world();
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
await seed.group('acme');
const { id: projectId } = await seed.project('acme/app', { master: ada });

// a hundred of each are offered; the oldest milestone and the youngest user are beyond them
const numbers = Array.from({ length: 101 }, (_, n) => n + 1);
const others = { label: 'label 999', milestone: 'milestone 001', user: 'user101' };
await db.label.createMany({
  data: [...numbers.slice(1).map((n) => `label ${100 + n}`), others.label].map((name) => ({
    projectId,
    name,
    color: '#123456',
  })),
});
await db.milestone.createMany({
  data: numbers.map((iid) => ({
    projectId,
    iid,
    title: `milestone ${String(iid).padStart(3, '0')}`,
  })),
});
for (const n of numbers) {
  const { id: userId } = await seed.user(`user${n}`);
  await db.member.create({ data: { projectId, userId, accessLevel: 30 } });
}

/** Fills the fields of what is not offered, and expects the offers to lack it. */
async function enterOthers(page: Page, values = others): Promise<void> {
  const { label, milestone, user } = values;
  await page.getByLabel('Other labels').fill(`${label}, new`);
  await page.getByLabel('Other milestone').fill(milestone);
  await page.getByLabel('Other assignee').fill(user);
}

const changed = {
  labels: [others.label, 'new'],
  milestone: { title: others.milestone },
  assignee: { username: others.user },
};

describe('with more labels, milestones and users than are offered', () => {
  test('an issue gets others by their names, and keeps them when it is edited', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app/issues/new');
    for (const text of Object.values(others)) {
      expect(await page.locator('form.stacked').innerText()).not.toContain(text);
    }
    await expectAccessible(page);
    await page.getByLabel('Title').fill('Many');
    await enterOthers(page, { ...others, milestone: 'none', user: 'nobody' });
    await page.getByRole('button', { name: 'Create issue' }).click();
    await expectAccessible(page);
    const main = page.locator('main');
    expect(await main.innerText()).toContain('The milestone was not found.');
    expect(await main.innerText()).toContain('The user is not a member of the project.');
    expect(await page.getByLabel('Other labels').inputValue()).toBe(`${others.label}, new`);
    expect(await page.getByLabel('Other assignee').inputValue()).toBe('nobody');
    await enterOthers(page);
    await page.getByRole('button', { name: 'Create issue' }).click();
    const issue = `/projects/${projectId}/issues/1`;
    expect((await as(ada).get(issue)).body).toMatchObject(changed);
    await page.goto('/acme/app/issues/1/edit');
    await page.getByLabel('Title').fill('Still many');
    await page.getByRole('button', { name: 'Save issue' }).click();
    expect((await as(ada).get(issue)).body).toMatchObject({ title: 'Still many', ...changed });
  });

  test('the forms beside an issue have the same fields, and keep what was refused', async () => {
    const page = await signedIn(ada);
    const issues = `/projects/${projectId}/issues`;
    const { iid } = (await as(ada).post(issues, { title: 'Beside' })).body as { iid: number };
    const part = (name: string) =>
      page.locator('aside section').filter({ has: page.getByRole('heading', { name }) });
    const save = async (name: string) => part(name).getByRole('button', { name: 'Save' }).click();
    await page.goto(`/acme/app/issues/${iid}`);
    await part('Assignees').locator('summary').click();
    await part('Assignees').getByLabel('Other assignee').fill('nobody');
    await save('Assignees');
    await expectAccessible(page);
    expect(await part('Assignees').getByLabel('Other assignee').inputValue()).toBe('nobody');
    await part('Assignees').getByLabel('Other assignee').fill(`@${others.user}`);
    await save('Assignees');
    await part('Labels').locator('summary').click();
    await part('Labels').getByLabel('Other labels').fill(`${others.label},new`);
    await save('Labels');
    await part('Milestone').locator('summary').click();
    await part('Milestone').getByLabel('Other milestone').fill(others.milestone);
    await save('Milestone');
    await part('Time tracking').locator('summary').click();
    await part('Time tracking').getByLabel('Add time spent').fill('three pears');
    await save('Time tracking');
    expect(await part('Time tracking').getByLabel('Add time spent').inputValue()).toBe(
      'three pears',
    );
    expect((await as(ada).get(`${issues}/${iid}`)).body).toMatchObject(changed);
  });

  test('a merge request gets others by their names, and keeps them when it is edited', async () => {
    await seed.push('acme/app', { 'README.md': 'App' });
    const commit = { branch: 'more', start_branch: 'master', commit_message: 'More' };
    const actions = [{ action: 'create', file_path: 'more.txt', content: 'more' }];
    await as(ada).post(`/projects/${projectId}/repository/commits`, { ...commit, actions });
    const page = await signedIn(ada);
    await page.goto(
      '/acme/app/merge_requests/new?merge_request[source_branch]=more&merge_request[target_branch]=master',
    );
    await expectAccessible(page);
    await enterOthers(page);
    await page.getByRole('button', { name: 'Create merge request' }).click();
    const mergeRequest = `/projects/${projectId}/merge_requests/1`;
    expect((await as(ada).get(mergeRequest)).body).toMatchObject(changed);
    await page.goto('/acme/app/merge_requests/1');
    const assignee = page
      .locator('aside section')
      .filter({ has: page.getByRole('heading', { name: 'Assignee' }) });
    await assignee.locator('summary').click();
    await assignee.getByLabel('Other assignee').fill('nobody');
    await assignee.getByRole('button', { name: 'Save' }).click();
    await expectAccessible(page);
    expect(await assignee.getByLabel('Other assignee').inputValue()).toBe('nobody');
    await assignee.getByLabel('Assignee', { exact: true }).selectOption('');
    await assignee.getByLabel('Other assignee').fill('');
    await assignee.getByRole('button', { name: 'Save' }).click();
    expect((await as(ada).get(mergeRequest)).body).toMatchObject({ ...changed, assignee: null });
    await assignee.locator('summary').click();
    await assignee.getByLabel('Other assignee').fill(others.user);
    await assignee.getByRole('button', { name: 'Save' }).click();
    await page.goto('/acme/app/merge_requests/1/edit');
    await page.getByLabel('Title').fill('Still more');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect((await as(ada).get(mergeRequest)).body).toMatchObject({
      title: 'Still more',
      ...changed,
    });
  });

  test('lists are filtered by others by their names', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app/issues');
    await expectAccessible(page);
    await page.getByLabel('Other label').fill(others.label);
    await page.getByLabel('Milestone').fill(others.milestone);
    await page.getByLabel('Assignee').fill(others.user);
    await page.getByRole('button', { name: 'Filter' }).click();
    expect(await page.locator('.issuable .name').allInnerTexts()).toEqual(['Beside', 'Still many']);
    await page.getByLabel('Assignee').fill('user1');
    await page.getByRole('button', { name: 'Filter' }).click();
    expect(await page.locator('.issuable .name').count()).toBe(0);
  });

  test('a script suggests users', async () => {
    const page = await signedIn(ada, { javaScriptEnabled: true });
    await page.goto('/acme/app/issues/new');
    await page.getByLabel('Other assignee').pressSequentially('user101');
    await page
      .locator(`#other-assignees option[value="${others.user}"]`)
      .waitFor({ state: 'attached' });
  });
});
