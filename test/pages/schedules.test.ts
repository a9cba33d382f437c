import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { ciProject } from '../support/ci-pages.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, db } = server;
const ada = await seed.user('ada');
const dan = await seed.user('dan');
await seed.group('acme', { owner: ada });
const app = await ciProject(server, { path: 'acme/app', roles: { developer: dan } });
const { signedIn } = await browser(server.url);
const path = `/${app.path}/pipeline_schedules`;
const hostile = '"><script>alert(1)</script>';

describe('pipeline schedules', () => {
  test('are created, changed, run, taken over and deleted', async () => {
    const page = await signedIn(dan);
    await page.goto(path);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New schedule' }).first().click();
    await expectAccessible(page);
    await page.getByLabel('Description').fill(hostile);
    await page.getByLabel('Times').fill('0 4 * * *');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    expect(await page.getByRole('status').innerText()).toBe('Your changes were saved.');
    const stored = () => db.pipelineSchedule.findFirstOrThrow({ where: { projectId: app.id } });
    expect(await stored()).toMatchObject({
      description: hostile,
      ref: 'master',
      cron: '0 4 * * *',
      cronTimezone: 'Europe/Berlin',
      ownerId: dan.id,
    });
    await page.getByLabel('Active').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('.entries').innerText()).toContain('inactive');
    await expectAccessible(page);
    await page.getByRole('button', { name: `Run ${hostile}` }).click();
    expect(new URL(page.url()).pathname).toMatch(/^\/acme\/app\/pipelines\/\d+$/);
    const owner = await signedIn(ada);
    await owner.goto(path);
    await owner.getByRole('button', { name: `Take ownership of ${hostile}` }).click();
    expect(await stored()).toMatchObject({ ownerId: ada.id });
    await page.goto(path);
    expect(await page.getByRole('link', { name: hostile }).count()).toBe(0);
    const { id } = await stored();
    expect((await page.goto(`${path}/${id}/edit`))?.status()).toBe(403);
    await owner.getByRole('link', { name: hostile }).click();
    await owner.locator('summary', { hasText: 'Delete schedule' }).click();
    await owner.getByRole('button', { name: 'Delete schedule' }).click();
    expect(await db.pipelineSchedule.count()).toBe(0);
  });

  test('show errors at their fields and keep the input', async () => {
    const page = await signedIn(dan);
    await page.goto(`${path}/new`);
    await page.getByLabel('Description').fill(hostile);
    await page.getByLabel('Times').fill('every day');
    await page.getByLabel('Time zone').fill('Nowhere');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/Times .*invalid syntax/);
    expect(text).toMatch(/Time zone .*invalid/);
    expect(await page.getByLabel('Description').inputValue()).toBe(hostile);
    await expectAccessible(page);
  });

  test('have variables', async () => {
    const { id } = await db.pipelineSchedule.create({
      data: {
        projectId: app.id,
        ownerId: dan.id,
        description: 'Nightly',
        ref: 'master',
        cron: '0 4 * * *',
        cronTimezone: 'UTC',
        nextRunAt: new Date('2099-01-01'),
      },
    });
    const page = await signedIn(dan);
    await page.goto(`${path}/${id}/edit`);
    const variables = page.getByRole('region', { name: 'Variables' });
    const add = variables.locator('form').last();
    await add.getByLabel('Key').fill('not a key');
    await add.getByLabel('Value').fill(hostile);
    await add.getByRole('button', { name: 'Add variable' }).click();
    expect(await variables.innerText()).toContain('Key can contain only letters');
    expect(await add.getByLabel('Value').inputValue()).toBe(hostile);
    await add.getByLabel('Key').fill('TARGET');
    await add.getByRole('button', { name: 'Add variable' }).click();
    await variables.locator('summary').click();
    await expectAccessible(page);
    const row = variables.getByRole('listitem');
    await row.getByLabel('Value').fill('eu');
    await row.getByRole('button', { name: 'Save' }).click();
    await variables.locator('summary').click();
    expect(await row.getByLabel('Value').inputValue()).toBe('eu');
    await row.getByRole('button', { name: 'Delete TARGET' }).click();
    expect(await variables.innerText()).toContain('There are no variables.');
  });
});
