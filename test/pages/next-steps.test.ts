import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleIn } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { world } from '../support/world.ts';

const { seed, url } = await world();
const { signedIn, anonymous } = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');

/** The names of the links in the empty state of a page. */
const steps = '.empty a';

test('empty lists of everything lead to a new project or group, or to the sign-in', async () => {
  const page = await signedIn(ada);
  for (const [path, step] of [
    ['/explore', 'New project'],
    ['/explore/groups', 'New group'],
  ] as const) {
    await page.goto(path);
    await expectAccessible(page);
    expect(await page.locator(steps).allInnerTexts()).toEqual([step]);
    const visitor = await anonymous();
    await visitor.goto(path);
    await expectAccessible(visitor);
    expect(await visitor.locator(steps).allInnerTexts()).toEqual(['Sign in']);
  }
});

const inProject = [
  ...['', 'issues', 'issues/new', 'merge_requests', 'boards', 'labels', 'milestones', 'snippets'],
  ...['wikis', 'releases', 'forks', 'pipelines', '-/jobs', 'pipeline_schedules', 'environments'],
  ...['project_members', 'hooks', 'settings/ci_cd', 'settings/repository'],
];

test('axe finds nothing on the empty pages of a new project and group, and of a new user', async () => {
  await seed.group('bare', { owner: ada });
  await seed.project('bare/app');
  const page = await signedIn(ada, { javaScriptEnabled: true });
  const pages = [
    ...inProject.map((path) => `/bare/app/${path}`),
    ...['', '/issues', '/merge_requests', '/labels', '/milestones'].map(
      (path) => `/groups/bare${path}`,
    ),
    ...['/', '/?list=starred', '/dashboard/todos', '/dashboard/issues', '/snippets', '/ada'],
    ...['/profile/keys', '/profile/applications', '/search?search=nothing'],
  ];
  for (const path of pages) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expectAccessibleIn(page, 'light', 1280);
  }
});

test('axe finds nothing in the opened menus of the header', async () => {
  const page = await signedIn(ada, { javaScriptEnabled: true });
  for (const [path, width] of [
    ['/', 1280],
    ['/bare/app', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(path);
    const menus = page.locator('header details.menu > summary');
    for (const menu of await menus.all()) {
      await menu.click();
      await expectAccessibleIn(page, 'dark', width);
    }
  }
});

test('a project without pipelines leads to its CI file, whose commit runs one', async () => {
  await seed.group('acme', {}, { visibility: 'public' });
  await seed.project('acme/app', { master: ada, guest: bob }, { visibility: 'public' });
  const guest = await signedIn(bob);
  const page = await signedIn(ada);
  await page.goto('/acme/app/pipelines');
  // there is no branch yet
  expect(await page.locator(steps).count()).toBe(0);
  await seed.push('acme/app', { 'README.md': 'App' });
  for (const list of ['pipelines', '-/jobs']) {
    await guest.goto(`/acme/app/${list}`);
    expect(await guest.locator(steps).count()).toBe(0);
    await page.goto(`/acme/app/${list}`);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add a CI file' }).click();
    expect(await page.getByLabel('Path').inputValue()).toBe('.gitlab-ci.yml');
  }
  await page.getByLabel('Content').fill('test:\n  script: [make]\n');
  await page.getByRole('button', { name: 'Commit changes' }).click();
  await page.goto('/acme/app/pipelines');
  expect(await page.locator('.empty').count()).toBe(0);
  await page.getByRole('link', { name: '#1' }).waitFor();
});
