import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { world } from '../support/world.ts';

const { seed, url, db } = await world();
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
const { id: projectId } = await seed.project('ada/app', {}, { visibility: 'public' });
const path = '/ada/app/settings/repository';
const hostile = '"><script>alert(1)</script>';
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL0NwQh8EN0Jyn8nl1xN3hF5lp8hqN0G1X3ZQhHkqx7O a@b';

const section = (page: Page, name: string) => page.getByRole('region', { name });
const saved = (page: Page) => page.getByRole('status').innerText();

describe('protected branches', () => {
  const rules = () =>
    db.protectedBranch.findMany({
      where: { projectId },
      select: { name: true, pushAccessLevel: true, mergeAccessLevel: true },
    });

  test('are added, changed and removed', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    await expectAccessible(page);
    const branches = section(page, 'Protected branches');
    await branches.getByLabel('Branch').fill('release/*');
    await branches.getByLabel('Allowed to push').last().selectOption('No one');
    await branches.getByLabel('Allowed to merge').last().selectOption('Developers + Masters');
    await branches.getByRole('button', { name: 'Protect', exact: true }).click();
    expect(await saved(page)).toBe('Your changes were saved.');
    expect(await rules()).toEqual([
      { name: 'release/*', pushAccessLevel: 0, mergeAccessLevel: 30 },
    ]);
    await expectAccessible(page);
    await page.locator('summary[aria-label="Change release/*"]').click();
    const row = branches.getByRole('listitem').filter({ hasText: 'release/*' });
    await row.getByLabel('Allowed to push').selectOption('Masters');
    await row.getByRole('button', { name: 'Save' }).click();
    expect(await rules()).toEqual([
      { name: 'release/*', pushAccessLevel: 40, mergeAccessLevel: 30 },
    ]);
    await page.getByRole('button', { name: 'Unprotect release/*' }).click();
    expect(await rules()).toEqual([]);
  });

  test('show errors and keep the input', async () => {
    await db.protectedBranch.create({ data: { projectId, name: 'taken' } });
    const page = await signedIn(ada);
    await page.goto(path);
    const branches = section(page, 'Protected branches');
    await branches.getByLabel('Branch').fill('taken');
    await branches.getByRole('button', { name: 'Protect', exact: true }).click();
    expect(await page.getByRole('alert').innerText()).toBe(
      "Protected branch 'taken' already exists.",
    );
    expect(await branches.getByLabel('Branch').inputValue()).toBe('taken');
    await expectAccessible(page);
    await branches.getByLabel('Branch').fill(' ');
    await branches.getByRole('button', { name: 'Protect', exact: true }).click();
    expect(await branches.innerText()).toContain("Branch can't be blank.");
    await expectAccessible(page);
  });

  test('show hostile names as text', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    const branches = section(page, 'Protected branches');
    await branches.getByLabel('Branch').fill(hostile);
    await branches.getByRole('button', { name: 'Protect', exact: true }).click();
    expect(await page.getByText(hostile, { exact: true }).innerText()).toBe(hostile);
    expect(await page.locator('main script').count()).toBe(0);
    await page.getByRole('button', { name: `Unprotect ${hostile}` }).click();
    expect((await rules()).map(({ name }) => name)).not.toContain(hostile);
  });
});

describe('protected tags', () => {
  test('are added, changed and removed', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    const tags = section(page, 'Protected tags');
    await tags.getByLabel('Tag').fill('v*');
    await tags.getByLabel('Allowed to create').selectOption('No one');
    await tags.getByRole('button', { name: 'Protect', exact: true }).click();
    expect(await tags.getByRole('listitem').innerText()).toMatch(/v\*\s*Create: No one/);
    await tags.getByText('Change', { exact: true }).click();
    const rule = tags.getByRole('listitem');
    await rule.getByLabel('Allowed to create').selectOption('Developers + Masters');
    await rule.getByRole('button', { name: 'Save' }).click();
    expect(await rule.innerText()).toMatch(/v\*\s*Create: Developers \+ Masters/);
    await expectAccessible(page);
    await tags.getByRole('button', { name: 'Unprotect v*' }).click();
    expect(await tags.innerText()).toContain('No tags are protected.');
  });
});

describe('deploy keys', () => {
  test('are added, changed and removed', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    const keys = section(page, 'Deploy keys');
    const add = keys.locator('form').last();
    await add.getByLabel('Title').fill(hostile);
    await add.getByLabel('Public key').fill(key);
    await add.getByRole('button', { name: 'Add key' }).click();
    expect(await keys.getByRole('listitem').innerText()).toContain(hostile);
    expect(await keys.getByRole('listitem').innerText()).toContain('never used');
    await expectAccessible(page);
    await keys.locator('summary').first().click();
    const row = keys.getByRole('listitem');
    await row.getByLabel('Title').fill('Staging');
    await row.getByLabel('May push').check();
    await row.getByRole('button', { name: 'Save' }).click();
    expect(await row.innerText()).toMatch(/Staging\s*may push/);
    await keys.locator('summary').first().click();
    await keys.locator('summary', { hasText: 'Remove' }).click();
    await row.getByRole('button', { name: 'Remove Staging' }).click();
    expect(await keys.innerText()).toContain('There are no deploy keys.');
  });

  test('of other projects of a master are enabled', async () => {
    await seed.project('ada/other');
    const page = await signedIn(ada);
    await page.goto('/ada/other/settings/repository');
    const add = section(page, 'Deploy keys').locator('form').last();
    await add.getByLabel('Title').fill('Shared');
    await add.getByLabel('Public key').fill(key);
    await add.getByRole('button', { name: 'Add key' }).click();
    await page.goto(path);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Enable Shared' }).click();
    expect(await page.getByRole('button', { name: 'Enable Shared' }).count()).toBe(0);
    expect(await db.deployKeyProject.count({ where: { projectId } })).toBe(1);
    const other = await seed.user('eve');
    await seed.project('eve/app');
    const page2 = await signedIn(other);
    await page2.goto('/eve/app/settings/repository');
    expect(await page2.getByText('Shared').count()).toBe(0);
  });

  test('show errors at their fields and keep the input', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    const add = section(page, 'Deploy keys').locator('form').last();
    await add.getByLabel('Title').fill('Mine');
    await add.getByLabel('Public key').fill('no key');
    await add.getByRole('button', { name: 'Add key' }).click();
    expect(await add.innerText()).toContain('Key is invalid.');
    expect(await add.getByLabel('Title').inputValue()).toBe('Mine');
    await expectAccessible(page);
  });
});
