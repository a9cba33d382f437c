import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { hostedProject } from '../support/hosted.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { owner, project, projectId, issue } = await hostedProject(server);
const ada = server.as(owner);
const max = await server.seed.user('max');
await server.seed.project('acme/other', {}, { visibility: 'public' });
const { signedIn } = await browser(server.url);
const app = `/${project}`;
const hostile = '"><script>alert(1)</script>';
const hostilePrefill = encodeURIComponent(hostile);

const stored = async (iid: number) =>
  (await ada.get(`/projects/${projectId}/issues/${iid}`)).body as Record<string, unknown>;

const iidOf = (address: string) => Number(new URL(address).pathname.split('/').at(-1));

const visitorOf = async (user: typeof owner) => {
  const visitor = visitorAt(server.url);
  await visitor.signIn(user);
  return visitor;
};

describe('a new issue', () => {
  test('is written with what a reporter sets', async () => {
    await ada.post(`/projects/${projectId}/milestones`, { title: 'Version 1' });
    const page = await signedIn(owner);
    await page.goto(`${app}/issues/new?issue[title]=${hostilePrefill}&issue[description]=Why`);
    expect(await page.getByLabel('Title').inputValue()).toBe(hostile);
    await expectAccessible(page);
    await page.getByLabel('Title').fill(`New ${hostile}`);
    await page.getByRole('checkbox', { name: 'urgent' }).check();
    await page.getByRole('checkbox', { name: /@ada/ }).check();
    await page.getByLabel('Milestone').selectOption('Version 1');
    await page.getByLabel('Due date').fill('2030-01-02');
    await page.getByRole('checkbox', { name: 'Confidential' }).check();
    await page.getByRole('button', { name: 'Create issue' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(hostile);
    expect(await stored(iidOf(page.url()))).toMatchObject({
      description: 'Why',
      labels: ['urgent'],
      due_date: '2030-01-02',
      confidential: true,
      milestone: { title: 'Version 1' },
      assignees: [{ username: 'ada' }],
    });
    await expectAccessible(page);
  });

  test('shows an error at its field and keeps the input', async () => {
    const visitor = await visitorOf(max);
    const sent = { title: ' ', description: `Kept ${hostile}` };
    const { status, text } = await visitor.submit(`${app}/issues`, sent);
    expect(status).toBe(422);
    expect(text).toContain('id="title-fault">Title can&#39;t be blank.');
    expect(text).toContain('Kept &quot;&gt;&lt;script&gt;');
  });

  test('of an anonymous user requires the sign-in', async () => {
    const anonymous = visitorAt(server.url);
    expect((await anonymous.get(`${app}/issues/new`)).location).toContain('/users/sign_in');
    const { location } = await anonymous.submit(`${app}/issues`, { title: 'Hello' });
    expect(location).toContain('/users/sign_in');
  });
});

describe('the page of an issue', () => {
  const address = `${app}/issues/${issue}`;

  test('changes its parts in the side column', async () => {
    const page = await signedIn(owner);
    await page.goto(address);
    const edit = async (title: string, change: () => Promise<unknown>) => {
      const part = page.locator('aside section').filter({ hasText: title }).first();
      await part.locator('summary').click();
      await change();
      await part.getByRole('button', { name: 'Save' }).click();
    };
    await edit('Assignees', () => page.getByRole('checkbox', { name: /@ada/ }).check());
    await edit('Labels', () => page.getByRole('checkbox', { name: 'urgent' }).uncheck());
    await edit('Due date', () => page.getByLabel('Due date').fill('2031-02-03'));
    await edit('Time tracking', async () => {
      await page.getByLabel('Add time spent').fill('1h');
      await page.getByLabel('Estimate').fill('2h');
    });
    expect(await stored(issue)).toMatchObject({
      assignees: [{ username: 'ada' }],
      labels: [],
      due_date: '2031-02-03',
      time_stats: { time_estimate: 7200, total_time_spent: 3600 },
    });
    await expectAccessible(page);
    for (const [before, after] of [
      ['Lock discussion', 'Unlock discussion'],
      ['Make confidential', 'Make visible'],
      ['Unsubscribe', 'Subscribe'],
      ['Close issue', 'Reopen issue'],
    ] as const) {
      await page.getByRole('button', { name: before, exact: true }).click();
      await page.getByRole('button', { name: after, exact: true }).click();
      expect(await page.getByRole('button', { name: before, exact: true }).count()).toBe(1);
    }
    await page.getByRole('button', { name: 'Add to-do' }).click();
    expect(await page.getByRole('status').textContent()).toContain('to-do list');
  });

  test('shows the error of a part', async () => {
    const visitor = await visitorOf(owner);
    const { status, text } = await visitor.submit(`${address}/due_date`, { due_date: 'soon' });
    expect(status).toBe(422);
    expect(text).toContain('is not a date');
    expect((await visitor.submit(`${address}/nothing`)).status).toBe(404);
    expect((await visitor.submit(`${address}/constructor`)).status).toBe(404);
  });

  test('edits the texts', async () => {
    const page = await signedIn(owner);
    await page.goto(address);
    await page.getByRole('link', { name: 'Edit', exact: true }).first().click();
    await expectAccessible(page);
    await page.getByLabel('Title').fill('It is very slow');
    await page.getByRole('button', { name: 'Save issue' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('very slow');
  });

  test('moves and deletes issues', async () => {
    const { body } = await ada.post(`/projects/${projectId}/issues`, { title: 'Misplaced' });
    const { iid } = body as { iid: number };
    const page = await signedIn(owner);
    await page.goto(`${app}/issues/${iid}`);
    await page.getByText('Move issue').click();
    await page.getByLabel('To project').fill('acme/other');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    expect(new URL(page.url()).pathname).toBe('/acme/other/issues/1');
    await page.locator('summary').filter({ hasText: 'Delete issue' }).click();
    await page.getByRole('button', { name: 'Delete issue' }).click();
    expect(new URL(page.url()).pathname).toBe('/acme/other/issues');
    expect(await page.getByText('There are no issues yet').isVisible()).toBe(true);
    await expectAccessible(page);
  });

  test('offers other users no changes, and refuses them', async () => {
    const page = await signedIn(max, { width: 390 });
    await page.goto(address);
    for (const name of ['Close issue', 'Lock discussion', 'Delete issue', 'Save']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    await expectAccessible(page);
    const visitor = await visitorOf(max);
    const statuses = await Promise.all([
      visitor.get(`${address}/edit`),
      visitor.submit(address, { title: 'Mine' }),
      visitor.submit(`${address}/lock`),
      visitor.submit(`${address}/delete`),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });
});

describe('the list of issues', () => {
  test('filters by what its address says', async () => {
    const at = `/projects/${projectId}/issues`;
    await ada.post(at, { title: 'Red car', labels: 'red,fast' });
    await ada.post(at, { title: 'Red bike', labels: 'red' });
    const page = await signedIn(owner);
    const titles = async (query: string) => {
      await page.goto(`${app}/issues?${query}`);
      return page.locator('.issuable .name').allTextContents();
    };
    expect(await titles('label_name[]=red')).toEqual(['Red bike', 'Red car']);
    expect(await titles('label_name[]=red&label_name[]=fast')).toEqual(['Red car']);
    expect(await titles('search=bike')).toEqual(['Red bike']);
    expect(await titles('label_name[]=red&sort=created_asc')).toEqual(['Red car', 'Red bike']);
    expect(await titles('label_name[]=red&state=closed')).toEqual([]);
    expect(await titles('label_name[]=red&assignee_username=-none')).toHaveLength(2);
    expect(await titles('author_username=max')).toEqual([]);
    expect(await titles(`search=${hostilePrefill}&label_name[]=${hostilePrefill}`)).toEqual([]);
    await expectAccessible(page);
    await page.goto(`${app}/issues`);
    await page.locator('summary').filter({ hasText: 'Choose labels' }).click();
    await page.getByRole('checkbox', { name: 'fast' }).check();
    await page.getByRole('button', { name: 'Filter' }).click();
    expect(await page.locator('.issuable .name').allTextContents()).toEqual(['Red car']);
    expect(await page.getByRole('link', { name: 'Open 1' }).count()).toBe(1);
    await expectAccessible(page);
  });

  test.each([
    ['/groups/acme/issues', 'Red car'],
    ['/groups/acme/merge_requests', 'Run'],
    ['/dashboard/issues?scope=created_by_me', 'Red car'],
    ['/dashboard/merge_requests?scope=created_by_me', 'Run'],
  ])('of %s has the items of several projects', async (address, title) => {
    const page = await signedIn(owner, { width: 390 });
    await page.goto(address);
    expect(await page.getByRole('link', { name: title }).count()).toBe(1);
    await expectAccessible(page);
  });

  test('of a dashboard requires the sign-in', async () => {
    const { location } = await visitorAt(server.url).get('/dashboard/issues');
    expect(location).toContain('/users/sign_in');
  });
});

describe('a branch for an issue', () => {
  test('is created from its page, and its merge request closes the issue', async () => {
    const { body } = await ada.post(`/projects/${projectId}/issues`, { title: "It's *too* slow!" });
    const { iid } = body as { readonly iid: number };
    const page = await signedIn(owner);
    await page.goto(`${app}/issues/${iid}`);
    await page.getByRole('link', { name: 'Create branch' }).click();
    expect(await page.getByLabel('Branch name').inputValue()).toBe(`${iid}-it-s-too-slow`);
    await page.getByRole('button', { name: 'Create branch' }).click();
    await ada.post(`/projects/${projectId}/repository/files/fast.txt`, {
      ...{ branch: `${iid}-it-s-too-slow`, content: 'fast', commit_message: 'Be fast' },
    });
    const query = new URLSearchParams({ 'merge_request[source_branch]': `${iid}-it-s-too-slow` });
    await page.goto(`${app}/merge_requests/new?${query}`);
    expect(await page.getByLabel('Description').inputValue()).toBe(`Closes #${iid}`);
  });

  test('is not offered for closed issues, nor to users who may not push', async () => {
    const closed = await ada.post(`/projects/${projectId}/issues`, { title: 'Done' });
    const { iid } = closed.body as { readonly iid: number };
    await ada.put(`/projects/${projectId}/issues/${iid}`, { state_event: 'close' });
    const master = await visitorOf(owner);
    expect((await master.get(`${app}/issues/${iid}`)).text).not.toContain('Create branch');
    const other = await visitorOf(max);
    expect((await other.get(`${app}/issues/${issue}`)).text).not.toContain('Create branch');
  });
});
