import { describe, expect, test } from 'vitest';
import { expectProgramAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { ciOf } from '../support/ci.ts';
import { jobAssigner, jobClient, projectWithJobs } from '../support/runner-jobs.ts';
import { world } from '../support/world.ts';

const server = await world();
const { as, seed, root, url } = server;
const ci = await ciOf(server);
const hold = await jobAssigner(server, ci);
const { append } = jobClient(url);
const ada = await seed.user('ada');
await seed.group('acme', { developer: ada });
const app = await projectWithJobs(server, ci, 'acme/app', 'unit: { script: make }\n');
const { signedIn } = await browser(url);
const esc = String.fromCharCode(27);

/** A running job in a new pipeline, with the address of its page. */
const running = async () => {
  const pipelineId = await app.pipeline();
  const job = await hold(pipelineId, 'unit');
  return { ...job, pipelineId, path: `/acme/app/-/jobs/${job.id}` };
};

const withScripts = { javaScriptEnabled: true } as const;

describe('with scripts, the page of a running job', () => {
  test('appends new output without a reload, and shows the end of the job', async () => {
    const job = await running();
    await append(job, 0, 'line one\n');
    const page = await signedIn(ada, withScripts);
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    const response = await page.goto(job.path);
    const headers = response?.headers() ?? {};
    expect(headers.refresh).toBeUndefined();
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'nonce-[\w+/=]{24}'; connect-src 'self'; /,
    );
    await page.getByText('New output appears as it arrives.').waitFor();
    const log = page.getByRole('region', { name: 'Job log' });
    await page.evaluate("document.body.dataset.visit = 'first'");
    const piece = `${esc}[32;1mgreen${esc}[0m <b>plain</b>\n50%\r100%\r\nthe e`;
    await append(job, 9, piece);
    await log.getByText('100%').waitFor();
    await append(job, 9 + piece.length, 'nd\n');
    await log.getByText('the end').waitFor();
    expect(await log.textContent()).toBe('line one\ngreen <b>plain</b>\n100%\nthe end\n');
    expect(await log.locator('.f2.bold').textContent()).toBe('green');
    expect(await page.evaluate('document.body.dataset.visit')).toBe('first');
    await ci.move(job.pipelineId, 'unit', 'success');
    await page.getByRole('heading', { level: 1 }).getByText('success').waitFor();
    expect(await page.evaluate('document.body.dataset.visit ?? null')).toBeNull();
    expect(await log.textContent()).toBe('line one\ngreen <b>plain</b>\n100%\nthe end\n');
    expect(await page.locator('script[data-job]').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('shows that a waiting job has started, and its first output', async () => {
    const pipelineId = await app.pipeline();
    const { id } = await app.jobNamed(pipelineId, 'unit');
    const page = await signedIn(ada, withScripts);
    await page.goto(`/acme/app/-/jobs/${id}`);
    await page.getByText('New output appears as it arrives.').waitFor();
    const job = await hold(pipelineId, 'unit');
    await page.getByText('The log is empty.').waitFor();
    await append(job, 0, 'it runs\n');
    await page.getByRole('region', { name: 'Job log' }).getByText('it runs').waitFor();
  });

  test('is accessible', async () => {
    const job = await running();
    await append(job, 0, 'a line\n');
    const page = await signedIn(ada, { ...withScripts, bypassCSP: true });
    await page.goto(job.path);
    await page.getByText('New output appears as it arrives.').waitFor();
    await expectProgramAccessible(page);
  });

  test('stops following when the user asks for it', async () => {
    const job = await running();
    const page = await signedIn(ada, withScripts);
    await page.goto(job.path);
    await page.getByRole('link', { name: 'Stop refreshing' }).click();
    await page.getByText('Not finished yet.').waitFor();
    expect(await page.locator('script[data-job]').count()).toBe(0);
  });

  test('shows no further output to a user who was removed', async () => {
    const eve = await seed.user('eve');
    await as(root).post(`/projects/${app.id}/members`, { user_id: eve.id, access_level: 30 });
    const job = await running();
    await append(job, 0, 'visible\n');
    const page = await signedIn(eve, withScripts);
    await page.goto(job.path);
    await page.getByText('New output appears as it arrives.').waitFor();
    await as(root).delete(`/projects/${app.id}/members/${eve.id}`);
    await append(job, 8, 'secret\n');
    await page.getByText('This page does not exist').waitFor();
    expect(await page.getByText('secret').count()).toBe(0);
  });
});

describe('without scripts, the page of a running job', () => {
  test('reloads itself', async () => {
    const job = await running();
    await append(job, 0, 'line one\n');
    const page = await signedIn(ada);
    await page.goto(job.path);
    await page.getByText('This page refreshes every 5 seconds.').waitFor();
    await append(job, 9, 'line two\n');
    await page.getByText('line two').waitFor();
    await ci.move(job.pipelineId, 'unit', 'success');
    await page.getByRole('heading', { level: 1 }).getByText('success').waitFor();
  });
});
