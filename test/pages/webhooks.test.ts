import { describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { receiver } from '../support/receiver.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as } = await world({
  variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' },
});
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
const { id: projectId } = await seed.project('ada/app');
const path = '/ada/app/hooks';
const hostile = '"><script>alert(1)</script>';

describe('webhooks', () => {
  test('are added, changed and deleted', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    expect(await page.getByText('There are no webhooks.').isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('URL').fill('https://ci.example.com/hook');
    await page.getByLabel('Issues', { exact: true }).check();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    expect(await page.getByRole('status').innerText()).toBe('Your changes were saved.');
    await expectAccessible(page);
    const stored = () => db.webHook.findFirstOrThrow({ where: { projectId } });
    expect(await stored()).toMatchObject({ onPush: true, onIssue: true, verifiesSsl: true });
    await page.getByLabel('Push', { exact: true }).uncheck();
    await page.getByLabel('Verify the TLS certificate').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await stored()).toMatchObject({ onPush: false, onIssue: true, verifiesSsl: false });
    await page.goto(path);
    expect(await page.getByRole('listitem').filter({ hasText: 'ci.example' }).innerText()).toMatch(
      /Issues.*TLS certificate not verified/s,
    );
    await page.getByRole('link', { name: 'https://ci.example.com/hook' }).click();
    await page.locator('summary', { hasText: 'Delete webhook' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    expect(await page.getByText('There are no webhooks.').isVisible()).toBe(true);
  });

  test('show errors and keep the input', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    await page.getByLabel('URL').fill('ftp://example.com');
    await page.getByLabel('Jobs').check();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('Invalid url given');
    expect(await page.getByLabel('URL').inputValue()).toBe('ftp://example.com');
    expect(await page.getByLabel('Jobs').isChecked()).toBe(true);
    await expectAccessible(page);
    expect(await db.webHook.count({ where: { projectId } })).toBe(0);
  });

  test('list their deliveries, which masters read and resend', async () => {
    const target = await receiver((response) => response.end(hostile));
    const { body } = await as(ada).post(`/projects/${projectId}/hooks`, {
      url: target.url,
      issues_events: true,
    });
    const { id } = body as { readonly id: number };
    await as(ada).post(`/projects/${projectId}/issues`, { title: hostile });
    const delivered = () => db.hookDelivery.count({ where: { hookId: id, state: 'delivered' } });
    await vi.waitFor(async () => expect(await delivered()).toBe(1), { timeout: 20_000 });
    const page = await signedIn(ada);
    await page.goto(`${path}/${id}/edit`);
    await expectAccessible(page);
    expect(await page.getByRole('listitem').filter({ hasText: 'Issue Hook' }).innerText()).toMatch(
      /delivered.*HTTP 200/s,
    );
    await page.getByRole('link', { name: 'Issue Hook' }).click();
    const request = await page.getByRole('region', { name: 'Request body' }).innerText();
    expect(JSON.parse(request)).toMatchObject({ object_attributes: { title: hostile } });
    expect(await page.getByRole('region', { name: 'Response body' }).innerText()).toBe(hostile);
    expect(await page.locator('main script').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resend' }).click();
    await vi.waitFor(() => expect(target.received).toHaveLength(2), { timeout: 20_000 });
  });

  test('are tested with the newest records of the project', async () => {
    const target = await receiver();
    const { id: other } = await seed.project('ada/other');
    const { body } = await as(ada).post(`/projects/${other}/hooks`, {
      url: target.url,
      push_events: false,
    });
    const { id } = body as { readonly id: number };
    const page = await signedIn(ada);
    const send = async (event: string) => {
      await page.goto(`/ada/other/hooks/${id}/edit`);
      await page.getByLabel('Event', { exact: true }).selectOption(event);
      await page.getByRole('button', { name: 'Send test event' }).click();
    };
    for (const event of ['Push', 'Issue', 'Merge request', 'Pipeline', 'Job']) {
      await send(event);
      expect(await page.locator('.fault').innerText()).toContain('This event has nothing to send');
      await expectAccessible(page);
    }
    await seed.push('ada/other', { '.gitlab-ci.yml': 'job: { script: make }' });
    await as(ada).post(`/projects/${other}/issues`, { title: 'New' });
    await vi.waitFor(
      async () => expect(await db.job.count({ where: { projectId: other } })).toBe(1),
      { timeout: 20_000 },
    );
    for (const event of ['Push', 'Issue', 'Pipeline', 'Job']) {
      await send(event);
      expect(await page.getByRole('status').innerText()).toBe(
        'The event is sent in the background.',
      );
    }
    await vi.waitFor(() => expect(target.received).toHaveLength(4), { timeout: 20_000 });
    expect(target.received.map(({ headers }) => headers['x-gitlab-event']).toSorted()).toEqual([
      'Issue Hook',
      'Job Hook',
      'Pipeline Hook',
      'Push Hook',
    ]);
  });
});
