import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { ciProject } from '../support/ci-pages.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, as, db } = server;
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rae = await seed.user('rae');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const app = await ciProject(server, {
  path: 'acme/app',
  roles: { developer: dan, reporter: rae },
  settings: { visibility: 'public' },
});
const { signedIn, anonymous } = await browser(server.url);
const root = `/${app.path}`;
const esc = String.fromCharCode(27);

describe('a reporter', () => {
  test('sees how to add a CI file to a project without pipelines', async () => {
    const page = await signedIn(rae);
    await page.goto(root);
    await page.getByRole('link', { name: 'Pipelines' }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/pipelines`);
    expect(await page.locator('main .empty').innerText()).toContain('.gitlab-ci.yml');
    await expectAccessible(page);
  });

  test('navigates from a branch to a pipeline, its jobs and a trace', async () => {
    const id = await app.pipeline(dan);
    const compile = await app.job(id, 'compile');
    await app.move(id, 'compile', 'running');
    await app.writeTrace(compile, `${esc}[32;1mmake all${esc}[0m\n<b>done</b>\n`);
    await app.move(id, 'compile', 'success');
    await app.move(id, 'unit', 'running');
    await app.move(id, 'unit', 'failed', { failure: 'script_failure' });
    await app.move(id, 'lint', 'running');
    await app.move(id, 'lint', 'failed', { failure: 'script_failure' });
    const page = await signedIn(rae);
    await page.goto(`${root}/branches`);
    expect(await page.getByText('failed', { exact: true }).first().isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Pipelines for master' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'Pipelines for master',
    );
    await page.getByRole('link', { name: `#${id}` }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/pipelines/${id}`);
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'build',
      'test',
      'deploy',
    ]);
    expect(await page.getByRole('listitem').filter({ hasText: 'lint' }).textContent()).toContain(
      'allowed to fail',
    );
    await expectAccessible(page);
    await page.getByRole('link', { name: 'compile' }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/-/jobs/${compile}`);
    const trace = page.getByRole('region', { name: 'Job log' });
    expect(await trace.textContent()).toBe('make all\n<b>done</b>\n');
    expect(await trace.locator('.f2.bold').textContent()).toBe('make all');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Raw' }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/-/jobs/${compile}/raw`);
    expect(await page.textContent('body')).toContain(`${esc}[32;1mmake all`);
    await page.goto(`${root}/-/jobs/${await app.job(id, 'unit')}`);
    expect(await page.getByText('The script failed.').isVisible()).toBe(true);
    await expectAccessible(page);
  });

  test('navigates from a commit and from a merge request to the pipeline', async () => {
    const { id } = await db.pipeline.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const page = await signedIn(rae);
    await page.goto(`${root}/commits/master`);
    expect(await page.getByRole('listitem').getByText('failed').isVisible()).toBe(true);
    await page.goto(`${root}/commit/${app.sha}`);
    await page.getByRole('link', { name: `#${id}` }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/pipelines/${id}`);
    const at = `/projects/${app.id}`;
    const input = { source_branch: 'topic', target_branch: 'master', title: 'Topic' };
    const { body } = await as(dan).post(`${at}/merge_requests`, input);
    await page.goto(`${root}/merge_requests/${(body as { iid: number }).iid}`);
    await page.getByRole('link', { name: `#${id}` }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/pipelines/${id}`);
  });

  test('filters the list', async () => {
    const { id } = await db.pipeline.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const page = await signedIn(rae);
    await page.goto(`${root}/pipelines`);
    const filterBy = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click();
      return page.getByRole('link', { name: `#${id}` }).count();
    };
    const counts: [string, number][] = [];
    for (const name of ['pending', 'running', 'finished', 'branches', 'tags', 'all']) {
      counts.push([name, await filterBy(name)]);
    }
    expect(counts).toEqual([
      ['pending', 0],
      ['running', 0],
      ['finished', 1],
      ['branches', 1],
      ['tags', 0],
      ['all', 1],
    ]);
  });

  test('without a session is redirected to the sign-in page, which returns there', async () => {
    const page = await anonymous();
    await page.goto(root);
    await page.getByRole('link', { name: 'Pipelines' }).click();
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('return_to')]).toEqual([
      '/users/sign_in',
      `${root}/pipelines`,
    ]);
  });
});

describe('a developer', () => {
  test('cancels and retries a pipeline', async () => {
    const id = await app.pipeline(dan);
    const page = await signedIn(dan);
    await page.goto(`${root}/pipelines/${id}`);
    expect(await page.getByText('This page refreshes', { exact: false }).count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/pipelines/${id}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('canceled');
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('pending');
    expect(await page.getByText('retried').count()).toBeGreaterThan(0);
  });

  test('starts, cancels, retries and erases a job', async () => {
    const id = await app.pipeline(dan);
    const page = await signedIn(dan);
    for (const name of ['compile', 'unit', 'lint']) {
      await app.move(id, name, 'running');
      await app.move(id, name, 'success');
    }
    const release = await app.job(id, 'release');
    await page.goto(`${root}/pipelines/${id}`);
    await page.getByRole('button', { name: 'Start release' }).click();
    expect(new URL(page.url()).pathname).toBe(`${root}/-/jobs/${release}`);
    expect(await page.getByText('waiting for a runner').isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('canceled');
    await page.getByRole('button', { name: 'Retry' }).click();
    const retried = await app.job(id, 'release');
    expect(new URL(page.url()).pathname).toBe(`${root}/-/jobs/${retried}`);
    expect(retried).not.toBe(release);
    await app.move(id, 'release', 'running');
    await app.writeTrace(retried, 'It is out.\n');
    await app.storeArtifacts(retried, Buffer.from('PK'));
    await app.move(id, 'release', 'success');
    await page.reload();
    expect(await page.getByRole('link', { name: 'artifacts.zip' }).isVisible()).toBe(true);
    await page.getByText('Erase', { exact: true }).first().click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Erase' }).click();
    expect(await page.getByText('were erased').isVisible()).toBe(true);
    expect(await page.getByText('It is out.').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
  });
});

describe('the page of a running job', () => {
  test('refreshes itself until the user stops it', async () => {
    const id = await app.pipeline(dan);
    const compile = await app.job(id, 'compile');
    await app.move(id, 'compile', 'running');
    const lines = Array.from({ length: 400 }, (_line, place) => `line ${place}\n`).join('');
    await app.writeTrace(compile, lines);
    const page = await signedIn(rae, { width: 400 });
    await page.goto(`${root}/-/jobs/${compile}`);
    await expectAccessible(page);
    await app.writeTrace(compile, `${lines}the last line\n`);
    await page.getByText('the last line').waitFor();
    await page.getByRole('link', { name: 'Stop refreshing' }).click();
    const response = await page.reload();
    expect(response?.headers().refresh).toBeUndefined();
    await page.getByRole('link', { name: 'Refresh automatically' }).click();
    await app.move(id, 'compile', 'success');
    await page.getByRole('heading', { level: 1 }).getByText('success').waitFor();
    expect(await page.getByRole('link', { name: 'Stop refreshing' }).count()).toBe(0);
  });
});

describe('a pipeline', () => {
  test('of an invalid CI file shows the error', async () => {
    const id = await app.pipeline(dan);
    const data = { yamlErrors: 'jobs:<b> config is wrong', status: 'failed' } as const;
    await db.job.deleteMany({ where: { pipelineId: id } });
    await db.pipeline.update({ where: { id }, data });
    const page = await signedIn(rae);
    await page.goto(`${root}/pipelines/${id}`);
    expect(await page.getByText('jobs:<b> config is wrong').isVisible()).toBe(true);
    await expectAccessible(page);
    await page.goto(`${root}/pipelines`);
    expect(await page.getByText('invalid CI file').count()).toBe(1);
    await expectAccessible(page);
  });

  test('shows external statuses', async () => {
    const at = `/projects/${app.id}/statuses/${app.sha}`;
    const input = { state: 'success', name: 'security', description: 'Nothing found' };
    await as(dan).post(at, { ...input, ref: 'topic', target_url: 'https://example.com/1' });
    const where = { statuses: { some: { name: 'security' } } };
    const { id } = await db.pipeline.findFirstOrThrow({ where });
    const page = await signedIn(rae);
    await page.goto(`${root}/pipelines/${id}`);
    expect(await page.getByRole('heading', { name: 'External' }).isVisible()).toBe(true);
    const link = page.getByRole('link', { name: 'security' });
    expect(await link.getAttribute('href')).toBe('https://example.com/1');
    expect(await page.getByText('Nothing found').isVisible()).toBe(true);
    await expectAccessible(page);
  });
});
