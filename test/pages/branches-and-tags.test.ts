import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const ada = await server.seed.user('ada');
const dev = await server.seed.user('dev');
const guest = await server.seed.user('guest');
await server.seed.group('acme', { owner: ada }, { visibility: 'public' });
await server.seed.project('acme/app', { developer: dev, guest }, { visibility: 'public' });
const sha = await server.seed.push('acme/app', { 'a.ts': 'a\n' });
const hostile = '"><script>alert(1)</script>';
const visitor = visitorAt(server.url);
const developer = visitorAt(server.url);
await developer.signIn(dev);
const owner = visitorAt(server.url);
await owner.signIn(ada);
const { signedIn } = await browser(server.url);
const branches = '/acme/app/branches';
const tags = '/acme/app/tags';

describe('branches', () => {
  test('are created, found and deleted without scripts', async () => {
    const page = await signedIn(dev);
    await page.goto(branches);
    await page.getByRole('link', { name: 'New branch' }).click();
    await expectAccessible(page);
    await page.getByLabel('Branch name').fill('topic/one');
    await page.getByRole('button', { name: 'Create branch' }).click();
    expect(new URL(page.url()).pathname).toBe('/acme/app/tree/topic/one');
    await page.goto(branches);
    await page.getByLabel('Branch name').fill('TOPIC');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    expect(await page.getByRole('link', { name: 'topic/one', exact: true }).count()).toBe(1);
    expect(await page.getByRole('link', { name: 'master', exact: true }).count()).toBe(0);
    const request = page.getByRole('link', { name: 'New merge request from topic/one' });
    expect(await request.getAttribute('href')).toBe(
      '/acme/app/merge_requests/new?merge_request%5Bsource_branch%5D=topic%2Fone',
    );
    await page.locator('summary', { hasText: 'Delete' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete topic/one' }).click();
    expect(new URL(page.url()).pathname).toBe(branches);
    expect(await page.getByRole('link', { name: 'topic/one', exact: true }).count()).toBe(0);
  });

  test('with an invalid or existing name are refused, and the input is kept', async () => {
    for (const name of [`a..${hostile}`, 'master']) {
      const fields = { branch_name: name, ref: 'master' };
      const { status, text } = await developer.submitFrom(`${branches}/new`, branches, fields);
      expect([name, status]).toEqual([name, 422]);
      expect(text).toContain('role="alert"');
      expect(text).not.toContain('<script>alert');
    }
    const fields = { branch_name: 'kept', ref: 'nowhere' };
    const { text } = await developer.submitFrom(`${branches}/new`, branches, fields);
    expect(text).toContain('value="kept"');
    expect(text).toContain('Invalid reference name');
  });

  test('that are protected or default have no button for developers', async () => {
    const page = await signedIn(dev, { width: 390 });
    await page.goto(branches);
    expect(await page.locator('summary', { hasText: 'Delete' }).count()).toBe(0);
    await expectAccessible(page);
    const fields = { branch_name: 'master' };
    const response = await developer.submitFrom(branches, `${branches}/delete`, fields);
    expect(response.status).toBe(422);
    expect(response.text).toContain('The default branch of a project cannot be deleted.');
  });

  test('are changed by developers only', async () => {
    const visitors = visitorAt(server.url);
    await visitors.signIn(guest);
    expect((await visitors.get(branches)).text).not.toContain('New branch');
    expect((await visitors.get(`${branches}/new`)).status).toBe(403);
    const fields = { branch_name: 'mine', ref: 'master' };
    expect((await visitors.submit(branches, fields)).status).toBe(403);
    const { location } = await visitor.get(`${branches}/new`);
    expect(location).toContain('/users/sign_in');
  });

  test('filter by a text that is escaped', async () => {
    const { text } = await visitor.get(`${branches}?search=${encodeURIComponent(hostile)}`);
    expect(text).toContain('No branch has this text');
    expect(text).not.toContain('<script>alert');
  });
});

describe('tags', () => {
  test('are created with a message and release notes, found and deleted', async () => {
    const page = await signedIn(ada);
    await page.goto(tags);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New tag' }).click();
    await expectAccessible(page);
    await page.getByLabel('Tag name').fill('v1.0');
    await page.getByLabel('Message').fill(`First ${hostile}`);
    await page.getByLabel('Release notes').fill('It *works*.');
    await page.getByRole('button', { name: 'Create tag' }).click();
    expect(new URL(page.url()).pathname).toBe(`${tags}/v1.0`);
    expect(await page.getByText(`First ${hostile}`).isVisible()).toBe(true);
    expect(await page.locator('em').textContent()).toBe('works');
    await page.goto(`${tags}?search=V1`);
    await page.getByText('Download', { exact: true }).click();
    expect(await page.getByRole('link', { name: 'zip' }).getAttribute('href')).toBe(
      '/acme/app/repository/v1.0/archive.zip',
    );
    await page.locator('summary', { hasText: 'Delete' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete v1.0' }).click();
    expect(await page.getByText('There are no tags').isVisible()).toBe(true);
  });

  test('with an invalid name are refused, and the input is kept', async () => {
    const fields = { tag_name: 'a..b', ref: 'master', message: hostile, release_description: 'N' };
    const { status, text } = await developer.submitFrom(`${tags}/new`, tags, fields);
    expect(status).toBe(422);
    expect(text).toContain('Tag name invalid');
    expect(text).toContain('value="a..b"');
    expect(text).not.toContain('<script>alert');
  });

  test('are created by developers, and deleted by masters', async () => {
    const fields = { tag_name: 'v2', ref: sha };
    const created = await developer.submitFrom(`${tags}/new`, tags, fields);
    expect(created.location).toBe(`${tags}/v2`);
    expect((await developer.get(tags)).text).not.toContain('class="confirm"');
    const refused = await developer.submitFrom(`${tags}/new`, `${tags}/delete`, { tag_name: 'v2' });
    expect(refused.status).toBe(422);
    const deleted = await owner.submitFrom(tags, `${tags}/delete`, { tag_name: 'v2' });
    expect(deleted.location).toBe(tags);
    const { location } = await visitor.get(`${tags}/new`);
    expect(location).toContain('/users/sign_in');
  });
});

describe('commits', () => {
  test('are listed by day, and found by their messages', async () => {
    const page = await signedIn(dev, { width: 390 });
    await page.goto('/acme/app/commits/master');
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('October 1, 2017');
    const files = page.getByRole('link', { name: `Browse files at ${sha.slice(0, 8)}` });
    expect(await files.getAttribute('href')).toBe(`/acme/app/tree/${sha}`);
    await expectAccessible(page);
    await page.getByLabel('Text in the message').fill(hostile);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    expect(await page.getByText('No message has this text.').isVisible()).toBe(true);
    const { status, text } = await visitor.get('/acme/app/commits/master?search=a');
    expect(status).toBe(422);
    expect(text).toContain('too short');
    expect((await visitor.get('/acme/app/commits/master?search=INITIAL')).text).toContain(
      'Initial commit',
    );
  });
});

describe('the overview', () => {
  test('shows topics, counts, languages and addresses to clone', async () => {
    const { id } = await server.seed.project('acme/shown', {}, { visibility: 'public' });
    await server.as(ada).put(`/projects/${id}`, { tag_list: [`web ${hostile}`, 'tools'] });
    await server.seed.push('acme/shown', { 'a.ts': 'a\n', 'b.css': 'b\n' });
    const page = await signedIn(ada);
    await page.goto('/acme/shown');
    expect(await page.getByRole('list', { name: 'Topics' }).textContent()).toContain('tools');
    const facts = page.getByRole('list', { name: 'Repository' });
    expect(await facts.textContent()).toContain('1 branch');
    expect(await facts.textContent()).toContain('0 tags');
    await page.getByText('Clone', { exact: true }).click();
    expect(await page.getByLabel('Clone with HTTP').inputValue()).toBe(
      `${server.url}/acme/shown.git`,
    );
    expect(await page.getByLabel('Clone with SSH').inputValue()).toContain('acme/shown.git');
    await expectAccessible(page);
  });
});
