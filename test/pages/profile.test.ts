import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { newPublicKey } from '../support/ssh-keys.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, db } = await world();
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const hostile = '"><script>alert(1)</script>';
const escaped = '&quot;&gt;&lt;script&gt;';

const visitor = visitorAt(url);
await visitor.signIn(ada);

const paths = [
  '/profile',
  '/profile/emails',
  '/profile/notifications',
  '/profile/keys',
  '/profile/active_sessions',
];

test.each([1280, 390])('settings are accessible at a width of %i pixels', async (width) => {
  const page = await signedIn(ada, { width });
  for (const path of paths) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expectAccessible(page);
    expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1);
  }
});

test('settings require a signed-in user and a form token', async () => {
  const anonymous = visitorAt(url);
  for (const path of paths) {
    expect(await anonymous.get(path), path).toMatchObject({ status: 302 });
    expect(await visitor.post(path, { name: 'x' }), path).toMatchObject({ status: 403 });
  }
});

describe('the profile', () => {
  test('is edited, with a picture', async () => {
    const page = await signedIn(ada);
    await page.goto('/profile');
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByLabel('About you').fill(hostile);
    await page.getByLabel('Location').fill('London');
    await page.getByLabel('Website').fill('https://ada.example.com');
    await page.getByLabel('Picture').setInputFiles({
      name: 'ada.png',
      mimeType: 'image/png',
      buffer: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    });
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect(await page.getByRole('status').innerText()).toBe('Your changes were saved.');
    await expectAccessible(page);
    const stored = await db.user.findUniqueOrThrow({ where: { id: ada.id } });
    expect(stored).toMatchObject({
      name: 'Ada Lovelace',
      bio: hostile,
      location: 'London',
      organization: null,
      websiteUrl: 'https://ada.example.com',
    });
    expect(stored.avatar).not.toBeNull();
    expect((await visitor.get('/profile')).text).not.toContain(hostile);
    await page.getByRole('button', { name: 'Remove picture' }).click();
    expect(await db.user.findUnique({ where: { id: ada.id } })).toMatchObject({ avatar: null });
  });

  test('shows errors next to the fields and keeps the input', async () => {
    const { status, text } = await visitor.submit('/profile', {
      name: '',
      bio: 'x'.repeat(256),
      location: hostile,
      websiteUrl: 'javascript:alert(1)',
    });
    expect(status).toBe(422);
    expect(text).toContain('Name can&#39;t be blank.');
    expect(text).toContain('The text is too long');
    expect(text).toContain('Website must be a valid URL.');
    expect(text).toContain(escaped);
    expect(text).not.toContain(hostile);
  });

  test('changes nothing else of the account', async () => {
    const form = { name: 'Ada', isAdmin: '1', username: 'eve', email: 'eve@example.com' };
    expect(await visitor.submit('/profile', form)).toMatchObject({ status: 303 });
    expect(await db.user.findUnique({ where: { id: ada.id } })).toMatchObject({
      isAdmin: false,
      username: 'ada',
      email: 'ada@example.com',
    });
  });
});

describe('SSH keys', () => {
  test('are added with an expiry date, listed and deleted', async () => {
    const page = await signedIn(ada);
    await page.goto('/profile/keys');
    await page.getByLabel('Public key').fill(newPublicKey());
    await page.getByLabel('Title').fill(hostile);
    await page.getByLabel('Expires').fill('2099-01-31');
    await page.getByRole('button', { name: 'Add key' }).click();
    await expectAccessible(page);
    const row = page.getByRole('row', { name: /SHA256:/ });
    expect(await row.innerText()).toMatch(/never\s+2099-01-31/);
    expect(await page.content()).not.toContain(hostile);
    await row.locator('summary').click();
    await row.getByRole('button').click();
    expect(await db.key.count({ where: { userId: ada.id } })).toBe(0);
  });

  test('show errors next to the fields and keep the input', async () => {
    const form = { key: 'no key', title: hostile, expiresAt: '' };
    const { status, text } = await visitor.submit('/profile/keys', form);
    expect(status).toBe(422);
    expect(text).toContain('Key is invalid.');
    expect(text).toContain(escaped);
    const late = await visitor.submit('/profile/keys', { ...form, expiresAt: 'tomorrow' });
    expect(late.text).toContain('Expiry date is not a valid date.');
  });

  test('of other users are not deleted', async () => {
    const other = visitorAt(url);
    await other.signIn(bob);
    await other.submit('/profile/keys', { key: newPublicKey(), title: 'laptop' });
    const { id } = await db.key.findFirstOrThrow({ where: { userId: bob.id } });
    expect(await visitor.submit(`/profile/keys/${id}/delete`)).toMatchObject({ status: 404 });
    expect(await db.key.count({ where: { id } })).toBe(1);
  });
});

test('e-mail addresses are added, refused and deleted', async () => {
  await visitor.submit('/profile/emails', { email: 'ada@work.example.com' });
  const { id } = await db.email.findFirstOrThrow({ where: { userId: ada.id } });
  const page = await signedIn(ada);
  await page.goto('/profile/emails');
  await expectAccessible(page);
  expect(await page.locator('main').innerText()).toContain('ada@work.example.com');
  const taken = await visitor.submit('/profile/emails', { email: 'bob@example.com' });
  expect(taken).toMatchObject({ status: 422 });
  expect(taken.text).toContain('E-mail has already been taken.');
  const bad = await visitor.submit('/profile/emails', { email: hostile });
  expect(bad.text).toContain('E-mail is invalid.');
  expect(bad.text).not.toContain(hostile);
  const other = visitorAt(url);
  await other.signIn(bob);
  expect(await other.submit(`/profile/emails/${id}/delete`)).toMatchObject({ status: 404 });
  await visitor.submit(`/profile/emails/${id}/delete`);
  expect(await db.email.count({ where: { id } })).toBe(0);
});

test('notification settings are saved', async () => {
  const page = await signedIn(ada);
  await page.goto('/profile/notifications');
  await page.getByLabel('Custom', { exact: true }).check();
  await page.getByLabel('A pipeline fails').check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expectAccessible(page);
  const where = { userId: ada.id };
  expect(await db.notificationSetting.findUnique({ where })).toMatchObject({
    level: 'custom',
    events: ['failedPipeline'],
  });
  expect(await page.getByLabel('A pipeline fails').isChecked()).toBe(true);
  for (const form of [{ level: hostile }, { level: 'watch', email: hostile }]) {
    const { status, text } = await visitor.submit('/profile/notifications', form);
    expect(status).toBe(422);
    expect(text).not.toContain(hostile);
  }
});

describe('sessions', () => {
  test('are listed, and signed out one by one', async () => {
    const eve = await seed.user('eve');
    const [first, second, other] = [visitorAt(url), visitorAt(url), visitorAt(url)];
    await first.signIn(eve);
    await second.signIn(eve);
    await other.signIn(bob);
    const { id } = await db.browserSession.findFirstOrThrow({
      where: { userId: eve.id },
      orderBy: { id: 'desc' },
    });
    expect((await first.get('/profile/active_sessions')).text).toContain(`session ${id}`);
    expect(await other.submit(`/profile/active_sessions/${id}/end`)).toMatchObject({ status: 404 });
    expect(await second.get('/profile')).toMatchObject({ status: 200 });
    await first.submit(`/profile/active_sessions/${id}/end`);
    expect(await second.get('/profile')).toMatchObject({ status: 302 });
    expect(await first.get('/profile')).toMatchObject({ status: 200 });
  });

  test('are all ended at once', async () => {
    const eva = await seed.user('eva');
    const [first, second] = [visitorAt(url), visitorAt(url)];
    await first.signIn(eva);
    await second.signIn(eva);
    await first.submit('/profile/active_sessions/end');
    for (const one of [first, second]) {
      expect(await one.get('/profile')).toMatchObject({ status: 302 });
    }
  });
});
