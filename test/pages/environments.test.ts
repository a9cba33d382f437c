import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { ciProject } from '../support/ci-pages.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, db, url } = server;
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rae = await seed.user('rae');
await seed.group('acme', { owner: ada });
const app = await ciProject(server, {
  path: 'acme/app',
  roles: { developer: dan, reporter: rae },
});
const { signedIn } = await browser(url);
const path = `/${app.path}/environments`;

/** A deployment of the job `compile`, which the manual job `release` stops if `onStop` names it. */
async function deployed(name: string, onStop: string | null) {
  const pipeline = await app.pipeline(dan);
  // as after the success of the stages before it
  await db.job.updateMany({
    where: { pipelineId: pipeline, name: 'release' },
    data: { status: 'manual' },
  });
  const environment = await db.environment.create({
    data: { projectId: app.id, name, slug: name },
  });
  await db.deployment.create({
    data: {
      projectId: app.id,
      iid: environment.id,
      environmentId: environment.id,
      ref: 'master',
      isTag: false,
      sha: app.sha,
      userId: dan.id,
      jobId: await app.job(pipeline, 'compile'),
      onStop,
    },
  });
  return environment.id;
}

describe('environments', () => {
  test('are created, changed, stopped and deleted', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New environment' }).first().click();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('"><script>');
    await page.getByLabel('External URL').fill('https://example.com');
    await page.getByRole('button', { name: 'Create environment' }).click();
    expect(await page.locator('.fault').innerText()).toMatch(/^Name can contain only/);
    expect(await page.getByLabel('External URL').inputValue()).toBe('https://example.com');
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('production');
    await page.getByRole('button', { name: 'Create environment' }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(
      /production\s*available/,
    );
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('External URL').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByRole('link', { name: 'https://example.com' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Stop production' }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/stopped/);
    expect(await page.getByRole('button', { name: 'Stop production' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.locator('summary', { hasText: 'Delete environment' }).click();
    await page.getByRole('button', { name: 'Delete environment' }).click();
    expect(await db.environment.count()).toBe(0);
  });

  test('show their deployments, and buttons only to users who may use them', async () => {
    const stoppable = await deployed('review', 'release');
    await deployed('staging', null);
    const buttons = async (user: typeof ada) => {
      const page = await signedIn(user);
      await page.goto(path);
      await expectAccessible(page);
      expect(await page.getByRole('link', { name: /^compile #/ }).count()).toBe(2);
      return page
        .getByRole('button', { name: /^Stop / })
        .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')));
    };
    expect(await buttons(rae)).toEqual([]);
    expect(await buttons(dan)).toEqual(['Stop review']);
    expect(await buttons(ada)).toEqual(['Stop review', 'Stop staging']);
    const page = await signedIn(dan);
    await page.goto(`${path}/${stoppable}`);
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Stop review' }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/stopped/);
  });

  test('have permissions that are read for all of them at once', async () => {
    const graphql = graphqlClientOf(url);
    const { body } = await graphql(
      dan,
      `{ project(id: "acme/app") {
        access { canRunPipelines canSeeEnvironments canCreateEnvironments canSeeSchedules canCreateSchedules }
        environments { nodes { name canStop canChange } }
      } }`,
    );
    expect(body.data).toMatchObject({
      project: {
        access: {
          canRunPipelines: true,
          canSeeEnvironments: true,
          canCreateEnvironments: true,
          canSeeSchedules: true,
          canCreateSchedules: true,
        },
        environments: {
          nodes: [
            { name: 'review', canStop: false, canChange: false },
            { name: 'staging', canStop: false, canChange: false },
          ],
        },
      },
    });
  });
});
