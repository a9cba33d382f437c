import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, url, db, as } = server;
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
const eve = await seed.user('eve');
await seed.group('acme', { owner: ada });
const { id: projectId } = await seed.project('acme/app', { master: eve });
const { id: otherId } = await seed.project('acme/other');
const runners = runnersOf(server);
const path = '/acme/app/settings/ci_cd';
const hostile = '"><script>alert(1)</script>';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const open = async (user = ada) => {
  const page = await signedIn(user);
  await page.goto(path);
  return page;
};

describe('general pipeline settings', () => {
  test('are saved, with errors at their fields', async () => {
    const page = await open();
    await expectAccessible(page);
    await page.getByLabel('Timeout').fill('1');
    await page.getByLabel('CI file').fill('ci/main.yml');
    await page.getByLabel('Public pipelines').uncheck();
    const form = section(page, 'General pipeline settings');
    await form.getByRole('button', { name: 'Save' }).click();
    expect(await form.innerText()).toContain('Timeout needs to be between 10 minutes and 1 month.');
    expect(await page.getByLabel('CI file').inputValue()).toBe('ci/main.yml');
    await expectAccessible(page);
    await page.getByLabel('Timeout').fill('90');
    await form.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByRole('status').innerText()).toBe('Your changes were saved.');
    expect(await db.project.findUniqueOrThrow({ where: { id: projectId } })).toMatchObject({
      buildTimeout: 5400,
      ciConfigPath: 'ci/main.yml',
      publicJobs: false,
    });
  });
});

describe.each([
  ['a project', path],
  ['a group', '/groups/acme/settings/ci_cd'],
])('variables of %s', (_owner, address) => {
  test('are added, shown only where they are edited, changed and deleted', async () => {
    const page = await signedIn(ada);
    await page.goto(address);
    const variables = section(page, 'Variables');
    await variables.getByLabel('Key').fill('TOKEN');
    await variables.getByLabel('Value').fill(hostile);
    await variables.getByLabel('Protected').check();
    await variables.getByRole('button', { name: 'Add variable' }).click();
    expect(await page.getByRole('row', { name: /TOKEN/ }).innerText()).toMatch(/hidden\s+yes/);
    expect(await page.content()).not.toContain('alert(1)');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit TOKEN' }).click();
    expect(await page.getByLabel('Value').inputValue()).toBe(hostile);
    await expectAccessible(page);
    await page.getByLabel('Value').fill('line 1\nline 2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Edit TOKEN' }).click();
    expect(await page.getByLabel('Value').inputValue()).toBe('line 1\nline 2');
    await page.locator('summary', { hasText: 'Delete variable' }).click();
    await page.getByRole('button', { name: 'Delete variable TOKEN' }).click();
    expect(await variables.innerText()).toContain('There are no variables.');
  });

  test('show errors at their fields and keep the input', async () => {
    const page = await signedIn(ada);
    await page.goto(address);
    const variables = section(page, 'Variables');
    await variables.getByLabel('Key').fill(hostile);
    await variables.getByLabel('Value').fill('kept');
    await variables.getByRole('button', { name: 'Add variable' }).click();
    expect(await variables.innerText()).toContain("Key can contain only letters, digits and '_'.");
    expect(await variables.getByLabel('Value').inputValue()).toBe('kept');
    expect(await page.locator('main script').count()).toBe(0);
    await expectAccessible(page);
  });
});

describe('runners', () => {
  test('are paused, resumed, enabled, disabled and removed', async () => {
    const own = await runners.specific([projectId], { description: hostile });
    const both = await runners.specific([otherId], { description: 'theirs', tag_list: 'linux' });
    const page = await open();
    const list = section(page, 'Runners');
    const button = (name: string) => list.getByRole('button', { name });
    expect(await list.innerText()).toContain(hostile);
    await button(`Pause runner #${own.id}`).click();
    expect(await list.getByText('paused').isVisible()).toBe(true);
    await expectAccessible(page);
    await button(`Resume runner #${own.id}`).click();
    expect(await db.runner.findUnique({ where: { id: own.id } })).toMatchObject({ isActive: true });
    await button(`Enable runner #${both.id}`).click();
    expect(await button(`Enable runner #${both.id}`).count()).toBe(0);
    await button(`Disable here runner #${both.id}`).click();
    expect(await button(`Enable runner #${both.id}`).count()).toBe(1);
    await list.locator('summary', { hasText: /^Remove$/ }).click();
    await button(`Remove runner #${own.id}`).click();
    expect(await db.runner.findUnique({ where: { id: own.id } })).toBeNull();
  });

  test('are registered with a token that masters reset', async () => {
    const page = await open();
    const list = section(page, 'Runners');
    const before = await runners.projectToken(projectId);
    expect(await list.locator('pre').innerText()).toBe(
      `gitlab-runner register --url ${url} --registration-token ${before}`,
    );
    await list.locator('summary', { hasText: 'Reset registration token' }).click();
    await list.getByRole('button', { name: 'Reset registration token' }).click();
    const after = await runners.projectToken(projectId);
    expect(after).not.toBe(before);
    expect(await list.locator('pre').innerText()).toContain(after);
  });

  test('include shared ones, which masters may only switch off for the project', async () => {
    const shared = await runners.shared({ description: 'for all' });
    const page = await open();
    const list = section(page, 'Runners');
    expect(await list.innerText()).toContain('for all');
    expect(await list.getByRole('button', { name: `Pause runner #${shared.id}` }).count()).toBe(0);
    await list.getByRole('button', { name: 'Disable shared runners' }).click();
    expect(await list.innerText()).not.toContain('for all');
    await list.getByRole('button', { name: 'Enable shared runners' }).click();
    expect(await list.innerText()).toContain('for all');
  });
});

describe('pipeline triggers', () => {
  test('show their token once, change their owner and are revoked', async () => {
    const page = await open();
    const list = section(page, 'Pipeline triggers');
    await list.getByLabel('Description').fill(hostile);
    await list.getByRole('button', { name: 'Add trigger' }).click();
    const token = await page.getByLabel('Your new trigger token').inputValue();
    await expectAccessible(page);
    expect(await list.innerText()).toContain(hostile);
    await page.goto(path);
    expect(await page.content()).not.toContain(token);
    const { body } = await as(ada).get(`/projects/${projectId}/triggers`);
    expect(body).toMatchObject([{ token }]);
    const other = await open(eve);
    await other.getByRole('button', { name: `Take ownership of ${hostile}` }).click();
    expect(await db.trigger.findFirst({ where: { projectId } })).toMatchObject({ ownerId: eve.id });
    await other.locator('summary', { hasText: 'Revoke' }).click();
    await other.getByRole('button', { name: `Revoke ${hostile}` }).click();
    expect(await section(other, 'Pipeline triggers').innerText()).toContain(
      'There are no triggers.',
    );
  });

  test('show errors at their fields', async () => {
    const page = await open();
    const list = section(page, 'Pipeline triggers');
    await list.getByLabel('Description').fill('x'.repeat(256));
    await list.getByRole('button', { name: 'Add trigger' }).click();
    expect(await list.innerText()).toContain('Description is too long');
    await expectAccessible(page);
  });
});
