import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser, press } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, as, root } = await world();
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo', { isEmailVerified: true });
const dev = await seed.user('dev');
const eve = await seed.user('eve');
const open = { visibility: 'public', request_access_enabled: true };
await seed.group('acme', { owner: ada, developer: dev }, open);
await seed.group('friends', { owner: bob }, { visibility: 'public' });
await seed.project('acme/app', {}, open);

const hostile = '"><script>alert(1)</script>';
const members = (source: string) => as(root).get(`/${source}/members`);

const row = (page: Page, username: string) =>
  page.locator('main li').filter({ hasText: `@${username}` });

describe('the members page of a project', () => {
  test('adds, changes and removes a member', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app/project_members');
    expect(await row(page, 'dev').innerText()).toContain('Developer · inherited from acme');
    expect(await row(page, 'dev').getByText('Change').count()).toBe(0);
    await expectAccessible(page);
    await page.getByLabel('Username or e-mail').fill('cleo@example.com');
    await page.getByLabel('Access level').first().selectOption('Reporter');
    await page.getByLabel('Expires (optional)').first().fill('2999-01-31');
    expect(await press(page, 'Add member')).toBe(303);
    expect(await row(page, 'cleo').innerText()).toContain('Reporter · expires 2999-01-31');
    await row(page, 'cleo').getByText('Change').click();
    await expectAccessible(page);
    await row(page, 'cleo').getByLabel('Access level').selectOption('Master');
    await row(page, 'cleo').getByLabel('Expires').fill('');
    expect(await press(page, 'Save')).toBe(303);
    expect(await members('projects/acme%2Fapp')).toMatchObject({
      body: [{ username: 'cleo', access_level: 40, expires_at: null }],
    });
    await page.getByRole('link', { name: 'Direct members' }).click();
    expect(await page.locator('main .entries .name').first().innerText()).toBe('Cleo');
    expect(await row(page, 'dev').count()).toBe(0);
    await row(page, 'cleo').getByText('Change').click();
    expect(await press(page, 'Remove Cleo')).toBe(303);
    expect(await members('projects/acme%2Fapp')).toMatchObject({ body: [] });
  });

  test('suggests similar users if none has the name', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app/project_members');
    await page.getByLabel('Username or e-mail').fill('cle');
    expect(await press(page, 'Add member')).toBe(422);
    expect(await page.locator('#user-fault').innerText()).toContain('was not found');
    expect(await page.getByText('Similar users').innerText()).toContain('cleo');
    await expectAccessible(page);
    await page.getByLabel('Username or e-mail').fill(hostile);
    expect(await press(page, 'Add member')).toBe(422);
    expect(await page.getByLabel('Username or e-mail').inputValue()).toBe(hostile);
  });

  test('rejects a second membership, an invalid level and an invalid date', async () => {
    await seed.project('acme/strict', { developer: cleo });
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    const send = async (form: Readonly<Record<string, string>>) =>
      (
        await visitor.submit('/acme/strict/project_members', {
          user: 'bob',
          access_level: '30',
          ...form,
        })
      ).status;
    expect(await send({ user: 'cleo' })).toBe(422);
    expect(await send({ access_level: '50' })).toBe(422);
    expect(await send({ access_level: 'x' })).toBe(422);
    expect(await send({ expires_at: '2999-02-31' })).toBe(422);
    expect(await send({ expires_at: hostile })).toBe(422);
    const change = `/acme/strict/project_members/${cleo.id}/update`;
    const { status, text } = await visitor.submit(change, { access_level: '7' });
    expect([status, text.includes('Access level is not included')]).toEqual([422, true]);
    expect((await visitor.submit(`/acme/strict/project_members/${bob.id}/remove`)).status).toBe(
      404,
    );
    expect((await visitor.submit('/acme/strict/project_members/x/remove')).status).toBe(404);
    expect(await members('projects/acme%2Fstrict')).toMatchObject({
      body: [{ username: 'cleo', access_level: 30 }],
    });
  });

  test('shares the project with a group', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app/project_members');
    await page.getByLabel('Full path of a group').fill(hostile);
    expect(await press(page, 'Share project')).toBe(422);
    expect(await page.locator('#share-group-fault').innerText()).toBe('Group was not found.');
    await expectAccessible(page);
    await page.getByLabel('Full path of a group').fill('acme');
    expect(await press(page, 'Share project')).toBe(422);
    await page.getByLabel('Full path of a group').fill('friends');
    expect(await press(page, 'Share project')).toBe(303);
    expect(await page.locator('section[aria-labelledby=shares]').innerText()).toContain(
      'friends up to Developer',
    );
    await expectAccessible(page);
    await page.goto('/groups/friends');
    expect(await page.locator('main').innerText()).toContain('Shared projects');
    await page.goto('/acme/app/project_members');
    expect(await press(page, 'Remove friends')).toBe(303);
    expect(await page.locator('main').innerText()).toContain('shared with no group');
  });

  test('is read by members, and changed by masters only', async () => {
    const page = await signedIn(dev);
    await page.goto('/acme/app/project_members');
    expect(await row(page, 'ada').innerText()).toContain('Owner');
    expect(await page.getByRole('button', { name: 'Add member' }).count()).toBe(0);
    expect(await page.getByLabel('Full path of a group').count()).toBe(0);
    await expectAccessible(page);
    const visitor = visitorAt(url);
    await visitor.signIn(dev);
    const form = { user: 'cleo', access_level: '30' };
    expect((await visitor.submit('/acme/app/project_members', form)).status).toBe(403);
    const share = { group: 'friends', access_level: '30' };
    expect((await visitor.submit('/acme/app/group_links', share)).status).toBe(403);
    expect((await visitor.submit('/groups/acme/group_members', form)).status).toBe(403);
    expect((await visitor.submit(`/groups/acme/group_members/${ada.id}/remove`)).status).toBe(403);
    const anonymous = await visitorAt(url).get('/acme/app/project_members');
    expect([anonymous.status, anonymous.location]).toEqual([
      302,
      '/users/sign_in?return_to=%2Facme%2Fapp%2Fproject_members',
    ]);
    await seed.project('acme/secret');
    await visitor.signIn(eve);
    expect((await visitor.get('/acme/secret/project_members')).status).toBe(404);
  });
});

describe('the members page of a group', () => {
  test('offers the level of an owner and keeps the last one', async () => {
    // the administrator created the group
    await as(root).delete(`/groups/friends/members/${root.id}`);
    const page = await signedIn(bob);
    await page.goto('/groups/friends/group_members');
    await row(page, 'bob').getByText('Change').click();
    expect(await row(page, 'bob').getByRole('button', { name: 'Remove Bob' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByLabel('Username or e-mail').fill('@cleo');
    await page.getByLabel('Access level').first().selectOption('Owner');
    expect(await press(page, 'Add member')).toBe(303);
    await row(page, 'bob').getByText('Change').click();
    expect(await row(page, 'bob').getByRole('button', { name: 'Remove Bob' }).count()).toBe(1);
    await page.getByLabel('Search members').fill('cle');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await row(page, 'bob').count()).toBe(0);
    expect(await row(page, 'cleo').count()).toBe(1);
  });
});

describe.each([
  ['project', '/acme/app', '/acme/app/project_members', 'projects/acme%2Fapp'],
  ['group', '/groups/acme', '/groups/acme/group_members', 'groups/acme'],
])('access to a %s', (_kind, home, address, source) => {
  test('is requested, withdrawn, denied and approved, and the member leaves', async () => {
    const page = await signedIn(eve);
    await page.goto(home);
    expect(await press(page, 'Request access')).toBe(303);
    expect(await page.locator('main').innerText()).toContain('You requested access just now.');
    await expectAccessible(page);
    const visitor = visitorAt(url);
    await visitor.signIn(eve);
    expect((await visitor.submit(`${address}/request_access`)).status).toBe(422);
    expect(await press(page, 'Withdraw request')).toBe(303);
    await press(page, 'Request access');
    const own = await signedIn(ada);
    await own.goto(address);
    await expectAccessible(own);
    expect(await press(own, 'Deny Eve')).toBe(303);
    await page.goto(home);
    await press(page, 'Request access');
    await own.goto(address);
    await own
      .locator('section[aria-labelledby=requests]')
      .getByLabel('Access level')
      .selectOption('Reporter');
    expect(await press(own, 'Approve Eve')).toBe(303);
    const { body } = await members(source);
    expect(body).toContainEqual(expect.objectContaining({ username: 'eve', access_level: 20 }));
    await page.goto(home);
    await page.locator('summary').filter({ hasText: 'Leave' }).click();
    expect(await press(page, 'Leave')).toBe(303);
    expect((await members(source)).body).not.toContainEqual(
      expect.objectContaining({ username: 'eve' }),
    );
  });

  test('cannot be requested by a member', async () => {
    const page = await signedIn(dev);
    await page.goto(home);
    expect(await page.getByRole('button', { name: 'Request access' }).count()).toBe(0);
    const visitor = visitorAt(url);
    await visitor.signIn(dev);
    expect((await visitor.submit(`${address}/request_access`)).status).toBe(403);
  });
});

describe('suggestions of users', () => {
  test('are the options for a text, for signed-in users', async () => {
    const visitor = visitorAt(url);
    expect((await visitor.get('/autocomplete/users?search=cle')).status).toBe(302);
    await visitor.signIn(dev);
    const { text } = await visitor.get('/autocomplete/users?search=cle');
    expect(text).toBe('<option value="cleo">Cleo</option>');
    expect((await visitor.get('/autocomplete/users')).text).toBe('');
    expect((await visitor.get(`/autocomplete/users?search=${'x'.repeat(300)}`)).text).toBe('');
  });

  test('appear while a name is entered, with scripts', async () => {
    const page = await signedIn(ada, { javaScriptEnabled: true });
    await page.goto('/acme/app/project_members');
    await page.getByLabel('Username or e-mail').pressSequentially('cle');
    await expect.poll(() => page.locator('datalist option').count()).toBe(1);
  });
});
