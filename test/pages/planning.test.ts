import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { hostedProject } from '../support/hosted.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { owner, project, projectId } = await hostedProject(server);
const ada = server.as(owner);
const max = await server.seed.user('max');
const { signedIn } = await browser(server.url);
const app = `/${project}`;
const hostile = '"><script>alert(1)</script>';
const at = `/projects/${projectId}`;

const visitorOf = async (user: typeof owner) => {
  const visitor = visitorAt(server.url);
  await visitor.signIn(user);
  return visitor;
};

describe.each([
  ['a project', app],
  ['a group', '/groups/acme'],
])('the labels of %s', (_owner, root) => {
  test('are created, changed, subscribed to and deleted', async () => {
    const page = await signedIn(owner);
    await page.goto(`${root}/labels`);
    await page.getByRole('link', { name: 'New label' }).click();
    await expectAccessible(page);
    await page.getByLabel('Name').fill(`wide ${hostile}`);
    await page.getByRole('radio', { name: 'Teal' }).check();
    await page.getByRole('button', { name: 'Create label' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'wide' });
    expect(await row.locator('circle').getAttribute('fill')).toBe('#1aaa9c');
    await row.getByRole('button', { name: 'Subscribe' }).click();
    expect(await row.getByRole('button', { name: 'Unsubscribe' }).count()).toBe(1);
    await expectAccessible(page);
    await row.getByRole('link', { name: /^Edit/ }).click();
    await page.getByRole('radio', { name: 'Own colour' }).check();
    await page.getByLabel('Name').fill('narrow');
    await page.getByRole('button', { name: 'Save label' }).click();
    const renamed = page.getByRole('listitem').filter({ hasText: 'narrow' });
    await renamed.getByRole('link', { name: 'Edit narrow' }).click();
    await page.locator('summary').filter({ hasText: 'Delete label' }).click();
    await page.getByRole('button', { name: 'Delete label' }).click();
    expect(await renamed.count()).toBe(0);
  });

  test('are refused with their errors, and to users below reporter', async () => {
    const visitor = await visitorOf(owner);
    const bad = await visitor.submit(`${root}/labels`, { name: 'a,b', color: 'nothing' });
    expect(bad.status).toBe(422);
    expect(bad.text).toContain('Name is invalid.');
    expect(bad.text).toContain('Colour must be a valid color code.');
    const other = await visitorOf(max);
    expect((await other.get(`${root}/labels/new`)).status).toBe(403);
    const refused = await other.submit(`${root}/labels`, { name: 'x', color: '#ffffff' });
    expect(refused.status).toBe(403);
    expect((await visitorAt(server.url).get(`${root}/labels`)).location).toContain('sign_in');
  });
});

describe.each([
  ['a project', app],
  ['a group', '/groups/acme'],
])('the milestones of %s', (_owner, root) => {
  test('are created, changed, closed and deleted', async () => {
    const page = await signedIn(owner);
    await page.goto(`${root}/milestones`);
    await page.getByRole('link', { name: 'New milestone' }).click();
    await page.getByLabel('Title').fill(`One ${hostile}`);
    await page.getByLabel('Due date').fill('2020-01-02');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create milestone' }).click();
    expect(await page.getByText('Past due').isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close milestone' }).click();
    expect(await page.getByText('Closed', { exact: true }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Reopen milestone' }).click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title').fill('Two');
    await page.getByRole('button', { name: 'Save milestone' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Two');
    await page.goto(`${root}/milestones`);
    expect(await page.getByRole('link', { name: 'Two' }).count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Two' }).click();
    await page.locator('summary').filter({ hasText: 'Delete milestone' }).click();
    await page.getByRole('button', { name: 'Delete milestone' }).click();
    expect(await page.getByText('There are no milestones yet').isVisible()).toBe(true);
  });

  test('are refused with their errors, and to users below developer', async () => {
    const visitor = await visitorOf(owner);
    const sent = { title: 'Late', start_date: '2030-02-01', due_date: '2030-01-01' };
    const bad = await visitor.submit(`${root}/milestones`, sent);
    expect(bad.status).toBe(422);
    expect(bad.text).toContain('id="start_date-fault"');
    expect(bad.text).toContain('value="Late"');
    const other = await visitorOf(max);
    expect((await other.get(`${root}/milestones/new`)).status).toBe(403);
    expect((await other.submit(`${root}/milestones`, { title: 'x' })).status).toBe(403);
    expect((await visitor.get(`${root}/milestones/99`)).status).toBe(404);
  });
});

describe('the board', () => {
  const create = async (title: string, labels = '') =>
    ((await ada.post(`${at}/issues`, { title, labels })).body as { iid: number }).iid;

  test('has lists, between which cards move', async () => {
    const iid = await create('A card');
    const page = await signedIn(owner);
    await page.goto(`${app}/boards`);
    await page.getByLabel('Label').selectOption('urgent');
    await page.getByRole('button', { name: 'Add list' }).click();
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    const move = async (from: string, to: string) => {
      const card = column(from).getByRole('article').filter({ hasText: 'A card' });
      await card.locator('summary').click();
      await card.getByLabel('Move to').selectOption(to);
      await card.getByRole('button', { name: 'Move' }).click();
      return column(to).getByRole('article').filter({ hasText: 'A card' }).count();
    };
    expect(await move('Backlog', 'urgent')).toBe(1);
    await expectAccessible(page);
    expect(await move('urgent', 'Closed')).toBe(1);
    expect(await move('Closed', 'Backlog')).toBe(1);
    const { body } = await ada.get(`${at}/issues/${iid}`);
    expect(body).toMatchObject({ state: 'opened', labels: [] });
    await page.getByRole('button', { name: 'Remove the list urgent' }).click();
    expect(await column('urgent').count()).toBe(0);
  });

  test('takes dropped cards', async () => {
    await create('A dragged card');
    const visitor = await visitorOf(owner);
    const { text } = await visitor.get(`${app}/boards`);
    const label = /<option value="(\d+)"[^>]*>urgent</.exec(text)?.[1] ?? '';
    const board = /action="([^"]+)\/lists"/.exec(text)?.[1] ?? '';
    await visitor.submit(`${board}/lists`, { label_id: label });
    const page = await signedIn(owner, { javaScriptEnabled: true });
    await page.goto(`${app}/boards`);
    const target = page.getByRole('region', { name: 'urgent', exact: true });
    const card = page.getByRole('article').filter({ hasText: 'A dragged card' });
    await card.dragTo(target);
    await target.getByRole('article').filter({ hasText: 'A dragged card' }).waitFor();
    expect(await card.count()).toBe(1);
  });

  test('lets users below reporter look only', async () => {
    const page = await signedIn(max);
    await page.goto(`${app}/boards`);
    expect(await page.getByRole('button', { name: 'Move' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    const { pathname } = new URL(page.url());
    expect(pathname).toBe(`${app}/boards`);
    const visitor = await visitorOf(max);
    const { text } = await (await visitorOf(owner)).get(`${app}/boards`);
    const board = /action="([^"]+)\/move"/.exec(text)?.[1] ?? '';
    const moved = await visitor.submit(`${board}/move`, {
      iid: '1',
      from: 'backlog',
      to: 'closed',
    });
    const added = await visitor.submit(`${board}/lists`, { label_id: '1' });
    expect([moved.status, added.status]).toEqual([403, 403]);
    expect((await visitor.get(`${app}/boards/999999`)).status).toBe(404);
  });
});
