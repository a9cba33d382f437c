import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { ciProject } from '../support/ci-pages.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, db } = server;
const ada = await seed.user('ada');
const dan = await seed.user('dan');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const app = await ciProject(server, { path: 'acme/app', roles: { developer: dan } });
const { signedIn } = await browser(server.url);
const root = `/${app.path}`;
const hostile = '"><script>alert(1)</script>';

describe('pipelines', () => {
  test('are run with variables', async () => {
    const page = await signedIn(dan);
    await page.goto(`${root}/pipelines?ref=topic`);
    await page.getByRole('link', { name: 'Run pipeline' }).click();
    expect(await page.getByLabel('Branch or tag').inputValue()).toBe('topic');
    await expectAccessible(page);
    await page.getByLabel('Variables').fill(`TARGET=eu=1\n\nNOTE=${hostile}`);
    await page.getByRole('button', { name: 'Run pipeline' }).click();
    const id = Number(/\/pipelines\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1]);
    const { body } = await server.as(dan).get(`/projects/${app.id}/pipelines/${id}/variables`);
    expect(body).toMatchObject([
      { key: 'TARGET', value: 'eu=1' },
      { key: 'NOTE', value: hostile },
    ]);
  });

  test('are not run with an invalid form, which keeps its input', async () => {
    const page = await signedIn(dan);
    const submit = async (ref: string, variables: string) => {
      await page.goto(`${root}/pipelines/new`);
      await page.getByLabel('Branch or tag').fill(ref);
      await page.getByLabel('Variables').fill(variables);
      await page.getByRole('button', { name: 'Run pipeline' }).click();
      await expectAccessible(page);
      expect(await page.getByLabel('Branch or tag').inputValue()).toBe(ref);
      expect(await page.getByLabel('Variables').inputValue()).toBe(variables);
      expect(await page.locator('main script').count()).toBe(0);
      return page.locator('main').innerText();
    };
    const pipelines = await db.pipeline.count();
    expect(await submit('master', 'A=1\nB')).toContain('line 2 has no “=”');
    expect(await submit('master', `${hostile}=1`)).toContain('can contain only letters');
    expect(await submit(hostile, '')).toContain('Reference not found');
    expect(await db.pipeline.count()).toBe(pipelines);
  });

  test('are deleted by owners', async () => {
    const id = await app.pipeline(dan);
    const developer = await signedIn(dan);
    await developer.goto(`${root}/pipelines/${id}`);
    expect(await developer.getByText('Delete pipeline').count()).toBe(0);
    const page = await signedIn(ada);
    await page.goto(`${root}/pipelines/${id}?follow=no`);
    await page.locator('summary', { hasText: 'Delete pipeline' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete pipeline' }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/pipelines`);
    expect(await db.pipeline.findUnique({ where: { id } })).toBeNull();
  });
});

test('jobs are listed, by their status', async () => {
  const id = await app.pipeline(dan);
  await app.move(id, 'compile', 'running');
  const job = await app.job(id, 'compile');
  const page = await signedIn(dan);
  await page.goto(`${root}/pipelines`);
  await page.getByRole('link', { name: 'Jobs' }).click();
  expect(await page.getByRole('link', { name: `compile #${job}` }).isVisible()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'failed' }).click();
  expect(await page.getByText('No jobs have this status.').isVisible()).toBe(true);
  await page.getByRole('link', { name: 'running' }).click();
  expect(await page.locator('.entries').getByRole('listitem').count()).toBe(1);
  await page.getByRole('link', { name: `compile #${job}` }).click();
  expect(new URL(page.url()).pathname).toBe(`${root}/-/jobs/${job}`);
});

test('CI files are validated', async () => {
  const page = await signedIn(dan);
  await page.goto(`${root}/pipelines`);
  await page.getByRole('link', { name: 'Validate a CI file' }).click();
  await expectAccessible(page);
  const content = page.getByLabel('Content of .gitlab-ci.yml');
  await content.fill('job: { script: make }');
  await page.getByRole('button', { name: 'Validate' }).click();
  expect(await page.getByRole('status').innerText()).toBe('The file is valid.');
  await content.fill(`job: { stage: '${hostile}', script: make }`);
  await page.getByRole('button', { name: 'Validate' }).click();
  expect(await page.getByRole('alert').innerText()).toContain('The file is invalid');
  expect(await content.inputValue()).toContain(hostile);
  expect(await page.locator('main script').count()).toBe(0);
  await expectAccessible(page);
});
